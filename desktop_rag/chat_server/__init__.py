"""The library as an OpenAI-compatible endpoint on loopback: `desktop-rag serve`, documented in `docs/serve.md`.

Begin with `chat_endpoint.AnsweringEndpoint`, which answers the requests; `loopback_server` carries them over HTTP,
checks key and origin, holds connections that have not sent a request yet, and stops the run of a client that has gone.

- `chat_requests` reads and checks the bodies, and writes answers as chat completions; `chat_endpoint` also as
  responses.

It is built on the standard library's server: requests are few, and each has a thread anyway, since a run blocks. A web
framework would have to be in every installation, or the endpoint in an optional part.
"""
