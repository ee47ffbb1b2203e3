"""The built-in chat model: answers by quoting sentences, without a language model.

Begin with `extractive_model.ExtractiveModel`. It is stateless: each turn `run_state` reads the messages, `next_action`
plans the next tool calls (with `offered_tools`), and `answer` or `digest` writes the reply.
`model_process` runs it in a child process for the window, where its CPU-bound Python would stall the event loop.
`question_splitting` and `question_analysis` parse the question, `sentence_candidates` and `sentence_ranking` choose the
sentences, `content_words` are the stems that all of them compare.

The thresholds were measured on question sets (docs/evaluation.md) and by golden transcripts.
"""
