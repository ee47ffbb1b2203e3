"""The library for other programs through the Model Context Protocol: `desktop-rag mcp`.

Begin with `library_server.LibraryServer`, which answers the requests of the protocol; `transports` run it over standard
input and output or over HTTP on loopback, and refuse what is no message.

- `tool_answers` are the tools (`ToolAnswers.specs` lists them): those of the agent (`agent.run.tool_session`), `ask`,
  `verify_citations`, tables and reports (`table_tool`).
- `document_resources` are the documents as resources: `library://document/SHA-256`, whole or some lines.
- `protocol_clients` restricts a client to the folders it works in.
- `client_entries` adds the server to the settings of other programs and edits their files.

Only this package imports the protocol's SDK, and only `desktop-rag mcp` imports it.
"""
