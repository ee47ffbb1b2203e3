"""Writes small GGUF files: a header as the format describes it, with weights of zeros."""

import struct
from pathlib import Path

LLAMA: dict[str, object] = {
    "general.architecture": "llama",
    "general.name": "Tiny",
    "general.file_type": 15,
    "llama.block_count": 30,
    "llama.context_length": 8_192,
    "llama.embedding_length": 576,
    "llama.attention.head_count": 9,
    "llama.attention.head_count_kv": 3,
    "tokenizer.ggml.model": "gpt2",
    "tokenizer.ggml.tokens": ["a", "b"],
    "tokenizer.chat_template": "{{ messages }}",
}
WEIGHTS = 4_096


def gguf_bytes(fields: dict[str, object] = LLAMA, weights: int = WEIGHTS) -> bytes:
    """Return a file with one tensor of 32-bit floats."""
    header = b"GGUF" + struct.pack("<IQQ", 3, 1, len(fields))
    header += b"".join(_text(name) + _value(value) for name, value in fields.items())
    header += _text("weights") + struct.pack("<IQIQ", 1, weights, 0, 0)
    return header + bytes(-len(header) % 32) + bytes(4 * weights)


def written(path: Path, data: bytes) -> Path:
    """Write the file and return its path."""
    path.write_bytes(data)
    return path


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def _value(value: object) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", 8) + _text(value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    assert isinstance(value, list)
    if isinstance(value[0], str):
        return struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(_text, value))
    return struct.pack("<IIQ", 9, 4, len(value)) + struct.pack(f"<{len(value)}I", *value)
