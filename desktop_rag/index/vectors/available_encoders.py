"""Finds the encoders on this machine; after an upgrade that may include the one that made the existing vectors."""

from pathlib import Path

from desktop_rag.errors import EncoderError
from desktop_rag.index.encoding.encoder_description import read_description
from desktop_rag.paths import added_encoders, encoder_folder


def encoder_name(folder: Path) -> str:
    """Return the id of the encoder in a folder without loading it; empty if it is not declared."""
    try:
        return read_description(folder).id
    except EncoderError:
        return ""


def folder_of(name: str, usual: Path) -> Path | None:
    """Return the folder of the encoder with this id: configured, shipped, added, or a sibling of these."""
    shipped = encoder_folder()
    known = (usual, *_beside(usual), shipped, *_beside(shipped), *_beside(added_encoders() / "any"))
    return next((folder for folder in known if encoder_name(folder) == name), None)


def _beside(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.parent.iterdir() if path.is_dir() and path.name[0] != ".")
    except OSError:
        return []
