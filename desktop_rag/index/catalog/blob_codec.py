"""Encodes values that the catalog stores as one blob: sentence offsets and document structures."""

from dataclasses import replace

from desktop_rag.documents.document import Structure
from desktop_rag.errors import LibraryDamaged
from desktop_rag.processes.wire import Wire

_STRUCTURE = Wire(Structure)
_DAMAGED = "in the catalog are damaged. Run `desktop-rag check --repair`."


def unpack_sentences(data: bytes) -> tuple[tuple[int, int], ...]:
    """Return the sentence offsets packed in a `DraftChunk`."""
    try:
        flat = memoryview(data).cast("i").tolist()
        return tuple(zip(flat[::2], flat[1::2], strict=True))
    except (TypeError, ValueError) as error:  # not a whole number of pairs
        raise LibraryDamaged(f"Sentences {_DAMAGED}") from error


def pack_structure(structure: Structure) -> bytes:
    """Encode a structure without its sections and mails, which have their own tables."""
    return _STRUCTURE.encode(replace(structure, sections=(), mails=()))


def unpack_structure(data: bytes) -> Structure:
    """Decode a structure; raises `LibraryDamaged`."""
    try:
        structure = _STRUCTURE.decode(data)
    except ValueError as error:
        raise LibraryDamaged(f"Outlines and links {_DAMAGED}") from error
    if not isinstance(structure, Structure):
        raise LibraryDamaged(f"Outlines and links {_DAMAGED}")
    return structure
