"""The built-in chat model: answers by quoting sentences, without a language model.

Begin with `extractive_model.ExtractiveModel`. It is stateless: each turn `run_state` reads the messages, `next_action`
plans the next tool calls (with `offered_tools`), and `answer` or `digest` writes the reply.

- `question_splitting`, `question_analysis` and `answer_type` parse the question.
- `names_as_read` corrects the mistyped names of a question.
- `sentence_candidates` and `sentence_ranking` rank single sentences, `evidence_chain` pairs that answer together;
  `second_hop` searches for what a name leads to; `names_in_text` finds names, titles and countries.
- `sentence_choice` decides what is quoted, or that nothing is, `further_quotations` what is quoted beside it;
  `side_comparison` compares two things.
- `asked_things` are the names and things that a question asks about, and what quotations do not mention of them;
  `numbered_things` are those told apart by a number, `doubtful_quotations` tells whether quotations answer.
- `quantities` are totals, averages, extremes and differences of the amounts that were read.
- `structured` answers by a sentence's place or form: letterheads, mails, titles, definitions, what the latest
  entry says, what is said later against a plan.
- `content_words` are the stems that all of them compare.

The thresholds were measured on question sets, the weights of pairs fitted to them (docs/evaluation.md).
"""
