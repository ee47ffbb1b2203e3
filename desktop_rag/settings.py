"""The settings with their defaults: one JSON file, read once and written atomically."""

import os
import time
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

import msgspec

from desktop_rag.decoding import decode_json
from desktop_rag.errors import SettingsError
from desktop_rag.paths import encoder_folder, private_folder, settings_file, write_durably

FONT_PERCENT = (80, 200)  # the least and the most of `Settings.font_percent`
_SETTLED_NS = 3_000_000_000  # a younger file may change again without a new time: some disks keep times of two seconds

RANGES = MappingProxyType(
    {  # the least and the most of each number, for the fields that edit them and for imported settings
        "steps": (1, 200),
        "tool_calls": (1, 1_000),
        "seconds": (0, 36_000),
        "context_tokens": (2_048, 10_000_000),
        "total_tokens": (0, 1_000_000_000),
        "day": (0, 1_000_000),
        "month": (0, 1_000_000),
        "run": (0, 1_000_000),
        "font_percent": FONT_PERCENT,
        "context_window": (512, 10_000_000),
        "max_output": (64, 1_000_000),
        "temperature": (0, 2),
        "top_p": (0, 1),
        "price_in": (0, 1_000_000),
        "price_out": (0, 1_000_000),
        "fast_price_in": (0, 1_000_000),
        "fast_price_out": (0, 1_000_000),
        "patience": (10, 3_600),
        "idle_minutes": (0, 1_440),
    }
)
EDITION = 2  # of the defaults; 1, which files do not name, had no second look
DIRECT = "direct"  # of `Profile.proxy`

T = TypeVar("T")


class Theme(StrEnum):
    """The look of the window."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Density(StrEnum):
    """How much room the window leaves between its texts."""

    COMFORTABLE = "comfortable"
    COMPACT = "compact"


class Unsourced(StrEnum):
    """How to treat a statement without a source in the documents."""

    MARK = "mark"
    FORBID = "forbid"  # it is replaced by a note


class Api(StrEnum):
    """How an endpoint is spoken to."""

    AUTOMATIC = ""  # chat completions, until the endpoint asks for the other one
    CHAT_COMPLETIONS = "chat completions"
    RESPONSES = "responses"


@dataclass(frozen=True, slots=True)
class Profile:
    """An OpenAI-compatible endpoint, or a model file; a key is in the keychain under `name`, never here."""

    name: str
    base_url: str
    model: str
    context_window: int = 32_768
    max_output: int = 2_048
    temperature: float | None = None
    top_p: float | None = None
    reasoning_effort: str = ""
    api: Api = Api.AUTOMATIC
    ca_file: str = ""
    client_certificate: str = ""  # a PEM file with certificate and key
    proxy: str = ""  # an address, DIRECT for none; empty: the system's
    patience: int = 300  # seconds for the first words: a local server may load the model and read a long prompt first
    fast_model: str = ""  # a cheaper model of the same endpoint for simple tasks; empty: rules are used instead
    price_in: float | None = None  # per million prompt tokens, in the user's currency
    price_out: float | None = None  # per million completion tokens
    fast_price_in: float | None = None
    fast_price_out: float | None = None
    priced_on: str = ""  # the day the prices were entered or taken over, as 2026-11-23; empty: unknown
    model_file: str = ""  # a GGUF file that this program runs itself; `base_url` is empty then
    model_program: str = ""  # the `llama-server` that runs the file; empty: an installed llama.cpp
    idle_minutes: int = 10  # until the model of an unused file leaves the memory; 0: never
    local_only: bool = False  # refuse to send to any other computer, whatever the address becomes

    def fast(self) -> "Profile | None":
        """Return the endpoint with its fast model and default reasoning effort, or None without one."""
        if not self.fast_model or self.model_file:
            return None
        prices = (self.fast_price_in, self.fast_price_out)
        return replace(self, model=self.fast_model, reasoning_effort="", price_in=prices[0], price_out=prices[1])


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a run. Zero tokens or seconds means no limit of that kind."""

    steps: int = 15
    tool_calls: int = 60
    seconds: int = 300  # from the model's first words on
    context_tokens: int = 128_000
    total_tokens: int = 1_000_000


@dataclass(frozen=True, slots=True)
class MoneyLimits:
    """The money that requests may cost before the user is asked, in the currency of the prices; zero means no limit."""

    day: float = 0.0
    month: float = 0.0
    run: float = 0.0


@dataclass(frozen=True, slots=True)
class DesktopOptions:
    """What the program does on the desktop around its window."""

    notify: bool = True  # of long runs and of a new library, while another program is used
    notify_question: bool = False  # with the words of the question
    tray: bool = False  # an icon in the tray; closing the window then only hides it
    start_at_login: bool = False
    hotkey: str = ""  # opens the window from anywhere, as portable text of Qt; empty: none
    dark_pages: bool = False  # printed pages on dark paper in the dark theme
    system_accent: bool = False  # the accent colour of the system instead of our own
    reduced_motion: bool = False  # nothing moves by itself; also if the system asks for it


@dataclass(frozen=True, slots=True)
class Withheld:
    """The documents that are never sent: those at or below `paths` (absolute), and those with one of `tags`.

    A tag includes those below it: `people` covers `people/ines`. False if nothing is withheld.
    """

    paths: tuple[bytes, ...] = ()
    tags: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.paths or self.tags)


NOTHING_WITHHELD = Withheld()


@dataclass(frozen=True, slots=True)
class PrivacyOptions:
    """What may be sent to endpoints. The built-in model sends nothing, so it reads everything."""

    offline: bool = False  # connect to nothing but this computer
    never_send: tuple[str, ...] = ()  # absolute paths of files and folders
    never_words: tuple[str, ...] = ()  # words and phrases that are masked, in any case
    mask_secrets: bool = True  # keys, tokens, card and account numbers
    confirmed_hosts: tuple[str, ...] = ()  # hosts, with their ports, to which the user has allowed to send
    never_tags: tuple[str, ...] = ()  # documents with one of these tags, or one below it, are never sent either

    def listed(self) -> Withheld:
        """Return what is never sent, the paths of `never_send` as bytes of the file system; never looks at the disk."""
        written = (os.path.expanduser(path) for path in self.never_send if path.strip())  # noqa: PTH111
        tags = (" ".join(tag.split()).lstrip("#").strip(" /") for tag in self.never_tags)
        return Withheld(
            tuple(os.fsencode(os.path.normpath(path)) for path in written), tuple(dict.fromkeys(filter(None, tags)))
        )

    def withheld(self) -> Withheld:
        """Return what is never sent, paths also without symbolic links, as a library knows its folders.

        Raises `SettingsError` for a path that is not absolute: which file it names would depend on who asks.
        """
        listed = self.listed()
        written = listed.paths
        if wrong := next((path for path in written if not os.path.isabs(path)), None):  # noqa: PTH117 (bytes)
            raise SettingsError(
                f"Nothing is sent as long as “{os.fsdecode(wrong)}” is on the never-send list without its whole path. "
                "Correct it in the settings under Privacy."
            )
        paths = dict.fromkeys(each for path in written for each in (path, os.path.realpath(path)))
        return replace(listed, paths=tuple(paths))


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings; `active_profile` is empty for the built-in extractive model."""

    profiles: tuple[Profile, ...] = ()
    active_profile: str = ""
    toolkit: str = "full"
    limits: Limits = Limits()
    money: MoneyLimits = MoneyLimits()
    privacy: PrivacyOptions = PrivacyOptions()
    theme: Theme = Theme.SYSTEM
    font_percent: int = 100  # of the system's font size, within FONT_PERCENT
    density: Density = Density.COMFORTABLE
    language: str = ""  # of the window, as in LANGUAGES of `gui.catalogues`; empty: the system's
    unsourced: Unsourced = Unsourced.MARK
    second_look: bool = True  # the model compares the statements of its answer with the lines they cite
    follow_ups: bool = True  # suggest questions below the last answer
    desktop: DesktopOptions = DesktopOptions()
    editor: str = ""  # the command that opens {path} at {line}; empty: the first editor found
    notes: str = ""  # the folder to which answers and quotations are saved; empty: asked at the first one
    shortcuts: dict[str, str] = field(default_factory=dict)  # changed keys by command, "" for none
    encoder: str = ""  # the folder of the sentence encoder; empty: the shipped one
    update_address: str = ""  # of the release feed that “Check for updates” asks
    introduced: bool = False  # the dialog of the first start was answered or closed

    def profile(self) -> Profile | None:
        """Return the chosen endpoint, or None for the built-in model."""
        return next((p for p in self.profiles if p.name == self.active_profile), None)

    def with_profile(self, profile: Profile) -> "Settings":
        """Return these settings with `profile` added, or replacing the one of the same name."""
        others = tuple(p for p in self.profiles if p.name != profile.name)
        return replace(self, profiles=(*others, profile))


def load(path: Path) -> Settings:
    """Read the settings, or the defaults if the file is missing; raises `SettingsError`."""
    try:
        data = path.read_bytes()
        stored, written = decode_json(data, Settings), decode_json(data, dict[str, msgspec.Raw])
    except FileNotFoundError:
        return Settings()
    except (msgspec.DecodeError, OSError) as error:
        raise SettingsError(
            f"{path} cannot be read ({error}). Repair or delete it; the defaults are used until then."
        ) from error
    # Every file has all settings: the look that an earlier edition did not choose was only off by default.
    return stored if "edition" in written else replace(stored, second_look=True)


def usable_settings() -> Settings:
    """Return the settings of the program, the defaults if they cannot be read: the window reports that."""
    try:
        return load(settings_file())
    except SettingsError:
        return Settings()


def privacy() -> PrivacyOptions:
    """Return the current privacy options; raises `SettingsError`: nothing is sent under unknown rules.

    Cached until the file changes: each request of another program asks several times.
    """
    path = settings_file()
    try:
        stat = path.stat()
    except FileNotFoundError:
        return PrivacyOptions()
    except OSError:
        return load(path).privacy  # its error has a sentence
    if abs(time.time_ns() - stat.st_mtime_ns) < _SETTLED_NS:
        return load(path).privacy
    return _privacy_of(path, (stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns))


@lru_cache(maxsize=4)
def _privacy_of(path: Path, _: tuple[int, ...]) -> PrivacyOptions:
    """Return the rules of a file in this state; an error is not kept."""
    return load(path).privacy


def save(path: Path, settings: Settings) -> None:
    """Write the settings atomically; raises `SettingsError`."""
    text = msgspec.json.format(msgspec.json.encode({**msgspec.to_builtins(settings), "edition": EDITION}), indent=2)
    try:
        private_folder(path.parent)
        write_durably(path, text)
    except OSError as error:
        raise SettingsError(f"{path} cannot be written ({error}). The change lasts until the window closes.") from error


def merged(stored: T, base: T, new: T) -> T:
    """Return settings, or a part of them, as `stored`, with what changed from `base` to `new`.

    Another process may have written since `base`: a rule about what may be sent is never lost by another change.
    """
    if new == base or stored == base:
        return stored if new == base else new
    if isinstance(new, tuple) and isinstance(base, tuple) and isinstance(stored, tuple):
        kept = (each for each in stored if each in new or each not in base)
        return type(new)((*kept, *(each for each in new if each not in base and each not in stored)))
    if not is_dataclass(new) or isinstance(new, type):
        return new
    parts = {each.name: [getattr(one, each.name) for one in (stored, base, new)] for each in fields(new)}
    return replace(new, **{name: merged(*values) for name, values in parts.items()})


def chosen_encoder() -> Path:
    """Return the folder of the chosen sentence encoder, else of the shipped one."""
    chosen = usable_settings().encoder
    return Path(chosen) if chosen else encoder_folder()
