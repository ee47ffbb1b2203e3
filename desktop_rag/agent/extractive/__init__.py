"""The built-in chat model: answers by quoting passages, without a language model.

Begin with `extractive_model.ExtractiveModel`. It is stateless: each turn `run_state` reads the messages, `next_action`
plans the next tool calls (with `offered_tools`), and `answer` or `digest` writes the reply.

- `question_analysis` splits a message into questions and finds what each asks for.
- `sentence_candidates` and `sentence_ranking` rank single sentences, `evidence_chain` pairs that answer together.
- `passage_choice` decides which passages are quoted, or that none is; `side_comparison` compares two things.
- `answer` tells the value that a passage gives for certain, and the names and codes that nothing read mentions.
- `stated_cells` are the cells of a table over documents that one document states for certain.
- `content_words` are the stems that all of them compare.

No rule of language, word list or single question is added to these modules. The thresholds were measured on question
sets, the weights of pairs fitted to them (docs/evaluation.md).
"""
