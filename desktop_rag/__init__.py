"""Desktop RAG: ask your folders, and see the line that proves the answer."""

__version__ = "0.1.0"
