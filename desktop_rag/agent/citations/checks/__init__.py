"""Lexical checks of a claim against its lines, one kind of fault each; `claim_check` runs them all.

- `claim_names` finds names that its lines do not mention, `chinese_claims` names, negations and directions in Chinese.
- `claim_polarity` compares negations, extents, directions and swapped sides with the sentence most like the claim,
  `claim_alterations` in a sentence that is nearly the same, `claim_alternatives` the words of small closed classes.
- `claim_clauses` compares opposites, conditions and exceptions clause by clause, `parallel_clauses` what a claim mixes
  of two clauses, `claim_comparisons` “A is larger than B” with the amounts of A and B.
- `claim_roles` compares what belongs to which name, `claim_segments` to which of several parallel clauses.
- `claim_context` finds what leaves out a speaker, period, condition or denial, `claim_events` what makes
  a fact of a plan.
- `claim_cells` compares with rows and years of tables, `claim_changes` directions with figures, `claim_extremes`
  “the lowest” with the rows beside it, `claim_senders` who wrote to whom.
- `claim_subjects` compares whom, which kind or which document a claim is about.
- `claim_translations` compares permissions, denials and measures with lines in another language.

A check is silent where the lines leave open what it compares: an honest claim that is doubted costs trust, too.
"""
