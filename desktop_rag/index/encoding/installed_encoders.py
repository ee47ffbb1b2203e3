"""The encoders on this computer: the shipped one, and those added to the data folder, one folder each.

Reads only descriptions; the window lists encoders with it.
"""

import re
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from desktop_rag.errors import EncoderError
from desktop_rag.index.encoding.encoder_description import MODEL, EncoderDescription, read_description
from desktop_rag.index.encoding.known_encoders import SHIPPED
from desktop_rag.paths import added_encoders, encoder_folder

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
MAKING = ".making-"  # the beginning of the names of unfinished folders


@dataclass(frozen=True, slots=True)
class InstalledEncoder:
    """An encoder on this computer; `name` is that of its folder."""

    name: str
    folder: Path
    description: EncoderDescription

    @property
    def is_shipped(self) -> bool:
        """Return whether it came with the program."""
        return self.folder == encoder_folder()


def installed_encoders() -> list[InstalledEncoder]:
    """Return the shipped encoder, then the added ones by name; those whose description is damaged are left out."""
    found = [InstalledEncoder(SHIPPED, encoder_folder(), _described(encoder_folder()))]
    try:
        folders = sorted(path for path in added_encoders().iterdir() if NAME.fullmatch(path.name))
    except OSError:
        folders = []
    found += [InstalledEncoder(folder.name, folder, _described(folder)) for folder in folders if folder.is_dir()]
    return [each for each in found if each.description.id]


def encoder_at(folder: Path) -> InstalledEncoder:
    """Return the encoder in a folder as far as its description tells; the folder may be missing."""
    described = _described(folder)
    try:
        size = described.bytes or (folder / MODEL).stat().st_size
    except OSError:
        size = 0
    return InstalledEncoder(folder.name, folder, replace(described, bytes=size))


def find_encoder(name: str) -> InstalledEncoder:
    """Return the encoder of this name; raises `EncoderError`."""
    known = installed_encoders()
    found = next((each for each in known if each.name == name), None)
    if found is None:
        names = ", ".join(each.name for each in known)
        raise EncoderError(
            f"There is no encoder “{name}” here. There are {names}; “desktop-rag encoder add” adds others."
        )
    return found


def remove_encoder(name: str, chosen: Path) -> None:
    """Delete an added encoder; raises `EncoderError` for the shipped one, and for the chosen one."""
    found = find_encoder(name)
    if found.is_shipped:
        raise EncoderError(f"{name} comes with the program and stays.")
    if found.folder == chosen:
        raise EncoderError(f"{name} is in use. Choose another one first: desktop-rag encoder use {SHIPPED}")
    doomed = found.folder.with_name(f"{MAKING}{name}")  # so that it is gone at once, also after a kill
    shutil.rmtree(doomed, ignore_errors=True)
    try:
        found.folder.replace(doomed)
        shutil.rmtree(doomed)
    except OSError as error:
        raise EncoderError(f"{found.folder} cannot be deleted: {error.strerror or error}.") from error


def _described(folder: Path) -> EncoderDescription:
    try:
        return read_description(folder)
    except EncoderError:
        return EncoderDescription()
