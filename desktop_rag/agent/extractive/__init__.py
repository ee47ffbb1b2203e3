"""The built-in chat model: answers by quoting passages, without a language model.

Begin with `extractive_model.ExtractiveModel`. It is stateless: each turn `run_state` reads the messages, `next_action`
plans the next tool calls (with `offered_tools`), and `answer` or `digest` writes the reply.

- `question_splitting`, `question_analysis` and `answer_type` parse the question.
- `sentence_candidates` and `sentence_ranking` rank single sentences, `evidence_chain` pairs that answer together.
- `passage_choice` decides which passages are quoted, or that none is; `side_comparison` compares two things.
- `answer` tells the value that a passage gives for certain, `table_answers` (over `tables`) that of a table; and the
  names and codes of the question that nothing read mentions.
- `stated_cells` are the cells of a table over documents that one document states for certain.
- `content_words`, `word_forms` and `names_in_text` are the stems and names that all of them compare.

No rule of language, word list or single question is added to these modules. The thresholds were measured on question
sets, the weights of pairs fitted to them (docs/evaluation.md).
"""
