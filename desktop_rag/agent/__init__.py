"""The agent: answers a question from the library, with citations whose statements are checked.

Begin with `run.loop.answer`, which yields the `events` of one run. A toolkit (`toolkits`) gives the loop its `tools`,
prompt and limits; `citations` numbers and verifies what the answer cites; `conversations` stores the events.

- `extractive` is the built-in model without a language model; it implements `llm.chat.ChatModel` like any endpoint.
- `prompts` has the loop's own texts; the toolkits' prompts are files in `resources/prompts`.

Names in `events` and the texts for the model are fixed by stored conversations and golden transcripts.
"""
