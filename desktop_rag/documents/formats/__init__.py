"""The readers: bytes of one format become lines."""
