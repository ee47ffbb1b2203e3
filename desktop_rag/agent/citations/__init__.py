"""Citations: from the references a model writes to verified, numbered sources.

Begin with `citations.Citations`, which numbers and checks the citations of one answer.

- `references` names passages (`turn1search3`); `citable_lines` records the lines shown: only these can be cited.
- `citation_syntax` parses what models write; `citation_stream` replaces it by numbered links while the answer streams.
- `resolve` finds the cited lines; `support` checks that they support the claim, with `numbers` for its figures and
  `source_sentences` for the sentences of the source.
- `computed_figures` recomputes what a claim computes from its figures, `computed_spans` the time between its dates.
- `claims` finds the statements of an answer and grades each by its citations.

The grading decides what users may trust: change thresholds only with the evaluation.
"""
