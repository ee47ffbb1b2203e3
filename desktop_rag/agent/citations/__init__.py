"""Citations: from the references a model writes to numbered sources and statements with marks.

Begin with `citations.Citations`, which numbers and checks the citations of one answer.

- `references` names passages (`turn1search3`); `citable_lines` records the lines shown: only these can be cited.
- `citation_syntax` parses what models write; `citation_stream` replaces it by numbered links while the answer streams.
- `written` finds the citations of files in texts from elsewhere.
- `resolve` finds the cited lines; `support` finds their context and the sentence most like a claim, with
  `source_sentences` for the sentences of the source and `table_headings` for what stands above a row.
- `claims` finds the statements of an answer; `claim_facts` says what is certain of one and its lines: `names` and
  `numbers` that are not written there, `small_sums` that give a figure, an `altered_copy`.
- `calculations` has the results of the run's calculation tool.
- `marks` says which mark follows from the facts and the model's judgment, and has every sentence about them.
- `plain_answer` writes an answer without links, `quoted_rows` a row with the names of its columns.

No rule of language, word list or golden sentence is added here: what a model should judge, a model judges.
"""
