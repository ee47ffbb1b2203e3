"""The conversation: questions, the steps of each run, answers with their sources, and the question field.

Begin with `conversation_control` (the logic) and `conversation_view` → `turn_view` (the views).

- `conversation_control`: connects pane, list, runs and store; `shown_conversation`: what the pane shows; `run_pool`:
  runs on background threads; `run_actions`: continuing, forking, replaying and comparing them, and what you tell one in
  progress; `conversation_repository`: the store and the drafts on their own thread; `conversation_requests`: the
  signals that all views emit, on one object that is handed down instead of relayed from widget to widget.
- `conversation_pane`: puts view and question field together; `turn_question`, `welcome`: parts of the view;
  `welcome_control`: what the welcome suggests, read in the background, and the questions about the sample.
- `conversations_panel`, `conversations_model`: the list of stored conversations.
- `answer`: Markdown and the cards around it; `sources`: cited files and chips; `timeline`: the steps of a run and what
  you can do with a finished one; `composer`: question field, scope and `composer.token_meter` with its marks;
  `export`: files and print.

Widgets never block: disk, keychain and searcher are used by `ConversationRepository`, `RunPool` and
`SourceStatusChecker` on background threads.
"""
