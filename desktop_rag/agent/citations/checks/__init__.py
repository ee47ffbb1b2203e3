"""The checks of a claim, each a function of `ClaimText` and `CitedEvidence` that yields faults.

`claim_check` lists them in their order. `claim_evidence` has what they compare: the cited lines in several cuts. The
word lists are in `check_words`.

- What the evidence must have: `claim_names`; figures are in `numbers` and `sums`, beside this package.
- The sentence most like the claim: `claim_alterations` (altered words of a nearly equal sentence), `claim_polarity`
  (negations, extents, opposites, swapped sides), `claim_alternatives` (words of small closed classes, bounds, votes).
- Who: `claim_subjects` (whom or what it is about, who wrote), `claim_roles` (which name has which role).
- Which row, year or clause: `claim_cells`, `claim_segments`, `parallel_clauses`.
- Which way: `claim_clauses` (opposites clause by clause), `claim_changes` (rose, fell, doubled), `claim_differences`
  (of a computed sum), `claim_comparisons` (larger, largest).
- Out of context: `claim_context` (speaker, period, condition), `claim_events` (planned, not done).
- Another language: `claim_translations`; `chinese_claims`, without word spaces.

A check is silent where the lines leave open what it compares: an honest claim that is doubted costs trust, too.
"""
