"""The agent: answers a question from the library, with citations whose statements are checked.

Begin with `run.loop.answer(question, run)`, which yields the `events` of one run: `question.Question` is what is asked,
`toolkits.toolkit.Run` what it is answered with. A toolkit gives the loop its `tools`, prompt and limits; `citations`
numbers what the answer cites and finds what can be said of it; `conversations` stores the events; `gate` holds back
what may not be sent; `budget` counts tokens and money; `feedback` carries what the user says meanwhile.

- `extractive` is the built-in model without a language model; it implements `llm.chat.ChatModel` like any endpoint.
- `prompts` has the loop's own texts; the toolkits' prompts are files in `resources/prompts`.

Names in `events` and the texts for the model are fixed by stored conversations and golden transcripts.
"""
