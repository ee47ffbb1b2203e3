"""Everything a person can set, with its default; one JSON file, read once and written atomically."""

import os
import tempfile
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import msgspec

from desktop_rag.errors import SettingsError
from desktop_rag.paths import encoder_folder, private_folder, settings_file


class Theme(StrEnum):
    """The look of the window."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Unsourced(StrEnum):
    """What becomes of a statement for which the model named no source in the documents."""

    MARK = "mark"
    FORBID = "forbid"  # it is left out, and a note stands in its place


@dataclass(frozen=True, slots=True)
class Profile:
    """An OpenAI-compatible endpoint; its key lies in the keychain under `name`, never here."""

    name: str
    base_url: str
    model: str
    context_window: int = 32_768
    max_output: int = 2_048
    temperature: float | None = None
    top_p: float | None = None
    reasoning_effort: str = ""
    ca_file: str = ""
    fast_model: str = ""  # a cheaper one of the same endpoint, for what needs no good one; empty: rules do it
    price_in: float | None = None  # for a million tokens sent, in the person's currency
    price_out: float | None = None  # for a million tokens written
    fast_price_in: float | None = None
    fast_price_out: float | None = None

    def fast(self) -> "Profile | None":
        """Return the same endpoint with its fast model, which does not think long; None without one."""
        if not self.fast_model:
            return None
        prices = (self.fast_price_in, self.fast_price_out)
        return replace(self, model=self.fast_model, reasoning_effort="", price_in=prices[0], price_out=prices[1])


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a run ends; whichever comes first. Zero tokens or seconds means no limit of that kind."""

    steps: int = 15
    tool_calls: int = 60
    seconds: int = 300
    context_tokens: int = 128_000
    total_tokens: int = 1_000_000


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings; `active_profile` is empty for the built-in extractive model."""

    profiles: tuple[Profile, ...] = ()
    active_profile: str = ""
    toolkit: str = "full"
    limits: Limits = Limits()
    theme: Theme = Theme.SYSTEM
    unsourced: Unsourced = Unsourced.MARK
    editor: str = ""  # the command that opens {path} at {line}; empty: the first editor that is found
    encoder: str = ""  # the folder of another sentence encoder than the shipped one

    def profile(self) -> Profile | None:
        """Return the chosen endpoint, or None for the built-in model."""
        return next((p for p in self.profiles if p.name == self.active_profile), None)

    def with_profile(self, profile: Profile) -> "Settings":
        """Return these settings with `profile` added, or put in the place of the one with its name."""
        others = tuple(p for p in self.profiles if p.name != profile.name)
        return replace(self, profiles=(*others, profile))


def load(path: Path) -> Settings:
    """Read the settings; a missing file gives the defaults, a broken one raises `SettingsError`."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Settings)
    except FileNotFoundError:
        return Settings()
    except (msgspec.DecodeError, OSError) as error:
        raise SettingsError(
            f"{path} cannot be read ({error}). Mend or delete it; the defaults are used until then."
        ) from error


def save(path: Path, settings: Settings) -> None:
    """Write the settings so that a crash leaves either the old or the new file."""
    text = msgspec.json.format(msgspec.json.encode(settings), indent=2)
    try:
        private_folder(path.parent)
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        with os.fdopen(descriptor, "wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except OSError as error:
        raise SettingsError(f"{path} cannot be written ({error}). The change lasts until the window closes.") from error


def chosen_encoder() -> Path:
    """Return the folder of the sentence encoder: the one the person chose, else the one that is shipped."""
    try:
        chosen = load(settings_file()).encoder
    except SettingsError:  # the window says so
        chosen = ""
    return Path(chosen) if chosen else encoder_folder()
