"""The checks of a claim, each a function of `ClaimText` and `CitedEvidence` that yields faults.

`claim_check` lists them in their order. `claim_evidence` has what they compare: the cited lines in several cuts. The
word lists are in `check_words`.

- What the evidence must have: `claim_names`; figures are in `numbers` and `sums`, beside this package.
- The sentence most like the claim: `claim_alterations` (altered words of a nearly equal sentence), `claim_polarity`
  (negations, extents, swapped parties), `claim_alternatives` (words of small closed classes, bounds, votes).
- Who: `claim_subjects` (who wrote, which document), `claim_speakers`, `claim_roles`.
- Which row: `claim_cells`.
- Which clause or label: `claim_segments`, `claim_labels`.
- Which way: `claim_clauses` (opposites clause by clause), `claim_changes` (rose, fell, doubled), `claim_differences`
  (of a computed sum).
- Out of context: `claim_dates` (another period, the order of events), `claim_strength` (only planned, denied, doubted
  or limited), `claim_events` (refused, over, excepted), `claim_causes`.
- Another language: `claim_translations`; `chinese_claims`, without word spaces.

A check stays only if its doubts are right on statements that it was not made for: `docs/evaluation.md`.
A check is silent where the lines leave open what it compares: an honest claim that is doubted costs trust, too.
"""
