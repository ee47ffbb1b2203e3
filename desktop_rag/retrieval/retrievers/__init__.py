"""The retrievers: keyword, substring, vector, and the candidates they may return."""
