"""Finds the encoders on this machine; after an upgrade that may include the one that made the existing vectors."""

import json
from pathlib import Path

from desktop_rag.paths import encoder_folder

DESCRIPTION = "encoder.json"


def encoder_name(folder: Path) -> str:
    """Return the id of the encoder in a folder without loading it; empty if it is not declared."""
    try:
        description = json.loads((folder / DESCRIPTION).read_bytes())
    except (OSError, ValueError):
        return ""
    name = description.get("id") if isinstance(description, dict) else None
    return name if isinstance(name, str) else ""


def folder_of(name: str, usual: Path) -> Path | None:
    """Return the folder of the encoder with this id: the configured one, the shipped one, or a sibling of either."""
    shipped = encoder_folder()
    known = (usual, *_beside(usual), shipped, *_beside(shipped))
    return next((folder for folder in known if encoder_name(folder) == name), None)


def _beside(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.parent.iterdir() if path.is_dir())
    except OSError:
        return []
