"""The tools of the model: search, find, open, read, compare, calculate, summarise.

Begin with `tool`: the protocol `Tool`, its `ToolResult` and the `ToolContext` that the calls of a run share. A tool
parses what models really send with `arguments` and returns a text for the model, evidence and sources for the user.

- Default toolkit: `narrowed_search`, `find_open`, `chunk_passages`, `list_documents`, `compare`, `calculate`,
  `summarize`.
- Papers: `a_rag_tools`, `agentic_rag_tools`, `logical_rag_tools`; evaluation: `gold_passages`.
- Shared: `search_results`, `numbered_lines`, `query_phrasing`.

Descriptions and results are prompts: the golden transcripts in the tests fix every word of them.
"""
