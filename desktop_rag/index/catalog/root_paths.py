"""Paths of files relative to their root folder, as bytes of the file system."""

import os


def absolute(root: bytes, path: bytes) -> bytes:
    """Return the absolute path of a file from its root folder and its own path (empty for a single-file root)."""
    return os.path.join(root, path) if path else root  # noqa: PTH118 (names need not be valid text)


def relative_to(root: bytes, path: bytes) -> bytes | None:
    """Return `path` relative to `root` (empty when they are equal), or None when it is outside."""
    if path == root:
        return b""
    prefix = root.rstrip(os.fsencode(os.sep)) + os.fsencode(os.sep)
    return path[len(prefix) :] if path.startswith(prefix) else None
