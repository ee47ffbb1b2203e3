"""Citations: from the references a model writes to numbered sources and checked statements.

Begin with `citations.Citations`, which numbers and checks the citations of one answer.

- `references` names passages (`turn1search3`); `citable_lines` records the lines shown: only these can be cited.
- `citation_syntax` parses what models write; `citation_stream` replaces it by numbered links while the answer streams.
- `written` finds the citations of files in texts from elsewhere.
- `resolve` finds the cited lines; `support` finds their context and the sentence most like a claim, with
  `source_sentences` for the sentences of the source.
- `claims` finds the statements of an answer, `answer_tables` what its tables add, `stated_parts` what a sentence states
  beside a courtesy or a report on the search; `absence` finds those about what is not mentioned, which are none.
- `claim_check` compares each with its lines: `numbers` its figures, `checks` its names, negations, roles and more.
- `sums` recomputes what a claim computes from the figures of its lines, and has the calculations of the run.
- `joined_figures` reads figures in parts, such as dates of stacked headers.
- `claim_words` are the words compared, `check_words` reads the word lists.
- `plain_answer` writes an answer without links.
- `wording` has the sentences about verdicts, claims and faults for command line, window and repair request.

The grading decides what users may trust: change thresholds only with the evaluation.
"""
