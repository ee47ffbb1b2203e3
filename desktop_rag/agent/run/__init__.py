"""One run of the agent, from the question to the checked answer.

Begin with `loop.answer`: it yields the events of one run. `step` executes one step (ask the model, dispatch its tool
calls), `context` holds the messages and evicts old results.

- `usual_run` makes a run of the user's settings, with the model of `model_choice`; `reading_wait` waits for new files.
- `library_questions` answers “how many documents …?” without a model; `named_documents` finds documents by name.
- `tool_dispatch` runs tool calls, `tool_session` those of other programs; `short_path` retrieves for models that cannot
  call tools; `warm_up` has the instructions read while the window opens.
- `answer_stream` shows the answer, `answer_form` takes it out of its wrapping; `look` asks the model whether the cited
  lines say its statements, and for other words where they do not. `cited_text` checks the citations of a text from
  elsewhere, `text_judge` has the user's model look at it.
- `ungrounded` tells whether a turn is an answer at all, and what is added where nothing proves it.
- `apply_feedback` applies what the user says to a running agent; `replay` re-runs a stored run up to any step, and
  `run_comparison` compares two.
- `example_questions` draws questions from a library and tries them before they are shown.
- `search_report` tells how much was searched when nothing was found.
"""
