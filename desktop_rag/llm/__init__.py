"""Chat models behind one protocol, and the client for OpenAI-compatible endpoints.

Begin with `chat`: messages, events and the protocol `ChatModel`. `openai_chat.OpenAIChat` implements it and decides on
retries and backoff (`_RetryBudget`); `failures` classifies HTTP status codes (429 is the rate limit) and what fails on
the way.

- Request: `message_format` writes messages, in the forms that strict endpoints accept, `dialect` adapts the body to the
  `endpoint_traits` that were learned, `transport` makes the client (TLS, headers, timeouts), `exchange` runs the
  request on a thread, so that Stop never waits for it.
- Endpoints that want OpenAI's Responses API: `responses` writes the body and reads the events.
- Nothing untrusted is unbounded or repeated: `response_body` bounds what is received, `redaction` removes keys and
  passwords.
- Response: `exchange` splits server-sent events (SSE), `streaming` assembles the turn, `content` separates answer,
  thinking and leaked calls, which `written_calls` reads.
- `prompted_tools` gives tools to a model that calls none: described in the prompt, called by JSON in its text.
- `listed_models` asks a server what models it has. `probe` tests an endpoint for the settings, `doctor` examines it;
  `trial_requests` are what both send.
- `local_model` runs a GGUF file as an endpoint of this computer, without a server of the user's.
- `tokens`: counts if the endpoint does not, and finds out what a server dropped without a sign; `json_value` reads
  untrusted JSON.

Nothing but `transport` may create an HTTP client: it keeps keys, headers and redirects safe.
"""
