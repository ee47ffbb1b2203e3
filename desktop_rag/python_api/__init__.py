"""The library for Python programs: `from desktop_rag import Library`, documented in `docs/python-api.md`.

Begin with `opened_library.OpenedLibrary`, which programs import as `Library`; `async_library` is the same for asyncio.

- `argument_checks` checks what is passed; `api_values` are what they return, in notebooks as HTML.
- `langchain_retriever`, `llama_index_retriever` and `haystack_retriever` are retrievers for these packages, which are
  optional; `whole_passages` is what they share.

`desktop_rag/__init__.pyi` is what type checkers see; at run time the names are loaded at their first use.
"""
