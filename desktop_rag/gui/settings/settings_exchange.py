"""Settings as a file for another computer: without secrets, and read as if a stranger had written it."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import msgspec
from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from desktop_rag import __version__
from desktop_rag.decoding import decode_json
from desktop_rag.errors import SettingsError
from desktop_rag.gui.answer_methods import method_name
from desktop_rag.gui.background import CommandQueue
from desktop_rag.gui.catalogues import LANGUAGES
from desktop_rag.gui.formatting import counted, number
from desktop_rag.gui.settings.page_parts import ScrolledPage
from desktop_rag.gui.theme.theme import GRID, set_role
from desktop_rag.gui.widgets.bounded_dialog import ActionDialog
from desktop_rag.gui.widgets.file_dialog import FileDialog
from desktop_rag.paths import write_durably
from desktop_rag.settings import RANGES, Density, Profile, Settings, Theme, Unsourced
from desktop_rag.text.display import one_line

# What differs between two settings, in the words of the settings pages.

_UNNAMED = frozenset({"active_profile", "introduced"})


@dataclass(frozen=True, slots=True)
class SettingChange:
    """One setting, with its value before and after as shown to the user; empty where there is none."""

    name: str
    before: str
    after: str

    def __str__(self) -> str:
        """Return one line about the change."""
        if not self.before:
            return _tr("{0}: {1} (new)").format(self.name, self.after)
        return _tr("{0}: {1} → {2}").format(self.name, self.before, self.after or _tr("none"))


def changes(before: Settings, after: Settings) -> tuple[SettingChange, ...]:
    """Return what differs, in the order of the pages."""
    return (*_of_profiles(before, after), *_of_fields(before, after), *_of_shortcuts(before, after))


def _of_profiles(before: Settings, after: Settings) -> Iterator[SettingChange]:
    old = {profile.name: profile for profile in before.profiles}
    new = {profile.name: profile for profile in after.profiles}
    for name in dict.fromkeys((*old, *new)):
        if old.get(name) != new.get(name):
            yield SettingChange(_tr("Model “{0}”").format(name), _profile(old.get(name)), _profile(new.get(name)))


def _profile(profile: Profile | None) -> str:
    if profile is None:
        return ""
    fixed = (profile.model, profile.base_url, number(profile.context_window), number(profile.max_output))
    more = (profile.temperature, profile.top_p, profile.reasoning_effort, profile.fast_model)
    prices = (profile.price_in, profile.price_out, profile.fast_price_in, profile.fast_price_out)
    return ", ".join((*fixed, *(str(each) for each in (*more, *prices) if each not in (None, ""))))


def _of_fields(before: object, after: object) -> Iterator[SettingChange]:
    names = _names()
    for each in fields(before) if is_dataclass(before) else ():
        old, new = getattr(before, each.name), getattr(after, each.name)
        if old == new or each.name in _UNNAMED or isinstance(old, (tuple, dict)):
            continue
        if is_dataclass(old):
            yield from _of_fields(old, new)
        else:
            name = names.get(each.name, each.name.replace("_", " "))
            yield SettingChange(name, _change_shown(each.name, old), _change_shown(each.name, new))


def _of_shortcuts(before: Settings, after: Settings) -> Iterator[SettingChange]:
    old, new = before.shortcuts, after.shortcuts
    for key in dict.fromkeys((*old, *new)):
        if old.get(key) != new.get(key):
            usual = _tr("as usual")
            yield SettingChange(
                _tr("Shortcut “{0}”").format(key),
                (old[key] or _tr("none")) if key in old else usual,
                (new[key] or _tr("none")) if key in new else usual,
            )


def _change_shown(name: str, value: object) -> str:
    if name == "toolkit":
        return method_name(str(value))
    if name == "language":
        return LANGUAGES.get(str(value), _tr("Same as the system"))
    if isinstance(value, bool):
        return _tr("on") if value else _tr("off")
    if isinstance(value, (Theme, Density, Unsourced)):
        return _choices()[value]
    if isinstance(value, (int, float)):
        return number(value) if isinstance(value, int) else f"{value:g}"
    return str(value) or _tr("none")


def _choices() -> dict[str, str]:
    return {
        Theme.SYSTEM: _tr("Same as the system"),
        Theme.LIGHT: _tr("Light"),
        Theme.DARK: _tr("Dark"),
        Density.COMFORTABLE: _tr("Comfortable"),
        Density.COMPACT: _tr("Compact"),
        Unsourced.MARK: _tr("Mark it"),
        Unsourced.FORBID: _tr("Replace it with a note"),
    }


def _names() -> dict[str, str]:
    return {
        "toolkit": _tr("Method"),
        "steps": _tr("Steps"),
        "tool_calls": _tr("Searches and reads"),
        "seconds": _tr("Time in seconds"),
        "context_tokens": _tr("Context per request"),
        "total_tokens": _tr("Tokens per run"),
        "day": _tr("Money per day"),
        "month": _tr("Money per month"),
        "offline": _tr("Work offline"),
        "mask_secrets": _tr("Mask secrets in what is sent"),
        "theme": _tr("Theme"),
        "font_percent": _tr("Size of the text in percent"),
        "density": _tr("Density"),
        "language": _tr("Language"),
        "unsourced": _tr("A statement without a source"),
        "second_look": _tr("A second look by the model"),
        "follow_ups": _tr("Suggested questions"),
        "notify": _tr("Notifications"),
        "notify_question": _tr("Notifications with the question"),
        "tray": _tr("Icon in the tray"),
        "start_at_login": _tr("Start when you log in"),
        "hotkey": _tr("Key that opens the window from anywhere"),
        "dark_pages": _tr("Dark paper for printed pages"),
        "system_accent": _tr("Accent colour of the system"),
        "reduced_motion": _tr("Nothing moves by itself"),
        "editor": _tr("Editor command"),
        "notes": _tr("Folder of your notes"),
        "encoder": _tr("Folder of the sentence encoder"),
    }


FORMAT, VERSION = "desktop-rag-settings", 1
LARGEST = 1_000_000  # bytes of a file
_MOST_PROFILES, _MOST_SHORTCUTS, _LONGEST = 100, 1_000, 500
# What belongs to one computer, or runs a program on it.
_KEPT = ("active_profile", "editor", "notes", "encoder", "desktop", "privacy", "update_address", "introduced")
_LEFT_OUT = (
    "keys of models (they are in the keychain of the computer)",
    "user names, passwords and query parts of addresses",
    "which model is in use",
    "the command of the editor",
    "certificate files, and the folders of your notes and of the sentence encoder",
    "what the program does on the desktop around its window",
    "what may be sent: offline, masked words, never-send files, allowed hosts",
    "the address that is asked for updates",
)


@dataclass(frozen=True, slots=True)
class ExportedSettings:
    """The content of the file."""

    format: str
    version: int
    settings: Settings
    made_by: str = ""
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Head:
    format: str = ""
    version: int = 0


@dataclass(frozen=True, slots=True)
class ImportedSettings:
    """The settings after an import; `added` are the names of new profiles, for which no stored key may be used."""

    settings: Settings
    added: tuple[str, ...] = ()


def public_address(url: str) -> str:
    """Return an address without user name, password, query and fragment; "" if it is none."""
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not host:
        return ""
    name = f"[{host}]" if ":" in host else host
    return urlunsplit((parts.scheme, f"{name}:{port}" if port else name, parts.path.rstrip("/"), "", ""))


def exported_settings(settings: Settings) -> bytes:
    """Return the file: JSON that says what it leaves out."""
    profiles = tuple(
        _on_no_computer(replace(profile, base_url=public_address(profile.base_url)))
        for profile in settings.profiles
        if not profile.model_file
    )
    usual = Settings()
    public = replace(settings, profiles=profiles, **{name: getattr(usual, name) for name in _KEPT})
    file = ExportedSettings(FORMAT, VERSION, public, __version__, _LEFT_OUT)
    return msgspec.json.format(msgspec.json.encode(file), indent=2)


def _on_no_computer(profile: Profile) -> Profile:
    """Return `profile` without what belongs to one computer: an imported proxy would read along."""
    return replace(profile, ca_file="", client_certificate="", proxy="", model_file="", model_program="")


def write_export(path: Path, settings: Settings) -> None:
    """Write the file; raises `SettingsError`."""
    try:
        write_durably(path, exported_settings(settings))
    except OSError as error:
        raise _refusal(_tr("{0} cannot be written ({1}). Choose another folder."), path, error.strerror) from error


def read_import(path: Path, current: Settings) -> ImportedSettings:
    """Return the current settings with those of a file; raises `SettingsError` if it is not usable as a whole."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise _refusal(_tr("{0} cannot be read ({1})."), path, error.strerror) from error
    if len(data) > LARGEST:
        raise _refusal(_tr("This file is too large to be exported settings."))
    return merged(current, _decoded(data))


def merged(current: Settings, new: Settings) -> ImportedSettings:
    """Return `current` with the values of `new`; what belongs to this computer stays."""
    profiles = {profile.name: profile for profile in current.profiles}
    added = []
    for profile in new.profiles:
        known = profiles.get(profile.name)
        if known is not None and public_address(known.base_url) == profile.base_url:
            profiles[profile.name] = replace(
                profile,
                base_url=known.base_url,
                ca_file=known.ca_file,
                client_certificate=known.client_certificate,
                proxy=known.proxy,
                local_only=known.local_only or profile.local_only,
            )
            continue
        # The key of a known name must not be sent to another address.
        name = profile.name if known is None else _free_name(profile.name, profiles)
        profiles[name] = replace(profile, name=name)
        added.append(name)
    kept = {name: getattr(current, name) for name in _KEPT}
    return ImportedSettings(replace(new, profiles=tuple(profiles.values()), **kept), tuple(added))


def _free_name(name: str, taken: dict[str, Profile]) -> str:
    number = 2
    while f"{name} ({number})" in taken:
        number += 1
    return f"{name} ({number})"


def _decoded(data: bytes) -> Settings:
    try:
        head = decode_json(data, _Head)
    except (msgspec.DecodeError, RecursionError) as error:
        raise _refusal(_tr("This file does not contain exported settings.")) from error
    if head.format != FORMAT:
        raise _refusal(_tr("This file does not contain exported settings."))
    if head.version != VERSION:
        raise _refusal(_tr("This file was made by a newer version of Desktop RAG. Update this one, then import again."))
    try:
        settings = decode_json(data, ExportedSettings).settings
    except (msgspec.DecodeError, RecursionError) as error:
        raise _refusal(_tr("A value in this file cannot be used ({0}). Nothing was changed."), error) from error
    _check(settings)
    return replace(settings, profiles=tuple(map(_on_no_computer, settings.profiles)))


def _check(settings: Settings) -> None:
    from desktop_rag.agent.toolkits.registry import askable_toolkits

    names = [profile.name for profile in settings.profiles]
    if len(names) > _MOST_PROFILES or len(settings.shortcuts) > _MOST_SHORTCUTS:
        raise _refusal(_tr("This file has more models or shortcuts than a person would make. Nothing was changed."))
    if len(set(names)) < len(names) or not all(name.strip() for name in names):
        raise _refusal(_tr("Each model in this file needs a name of its own. Nothing was changed."))
    for profile in settings.profiles:
        if not profile.base_url or public_address(profile.base_url) != profile.base_url:
            raise SettingsError(
                _tr("The address of “{0}” in this file cannot be used. Nothing was changed.").format(
                    _shown(profile.name)
                )
            )
    if settings.toolkit not in askable_toolkits() or settings.language not in ("", *LANGUAGES):
        raise _refusal(_tr("This file names a method or a language that this version does not have."))
    for what, value in (*_values(settings), *settings.shortcuts.items()):
        low, high = RANGES.get(what, (-math.inf, math.inf))
        bad_number = isinstance(value, (int, float)) and not low <= value <= high
        bad_text = isinstance(value, str) and not (len(value) <= _LONGEST and value.isprintable())
        if bad_number or bad_text or len(what) > _LONGEST or not what.isprintable():
            raise _refusal(_tr("The value of “{0}” in this file cannot be used. Nothing was changed."), _shown(what))


def _values(value: object, name: str = "") -> list[tuple[str, object]]:
    """Return the names and values of all fields, also of the values inside."""
    if is_dataclass(value):
        return [pair for each in fields(value) for pair in _values(getattr(value, each.name), each.name)]
    if isinstance(value, tuple):
        return [pair for each in value for pair in _values(each, name)]
    return [(name, value)]


def _shown(text: str) -> str:
    return "".join(letter for letter in text[:60] if letter.isprintable())


def _refusal(sentence: str, *filled: object) -> SettingsError:
    return SettingsError(sentence.format(*filled))


def _tr(text: str) -> str:
    return QCoreApplication.translate("SettingsExchange", text)


# Export and import of settings: the file dialogs, the work in the background, and the question before a change.


class ImportDialog(ActionDialog):
    """Shows what an import changes, before it does."""

    def __init__(self, before: Settings, imported: ImportedSettings, parent: QWidget | None = None) -> None:
        super().__init__(self.tr("Import settings"), self.tr("Use these settings"), parent)
        found = changes(before, imported.settings)
        count = len(found)
        said = counted(self.tr("%Ln setting(s) change:", "", count), count) if found else self.tr("Nothing changes.")
        listed = ScrolledPage(self)
        listed.column.setSpacing(GRID // 2)
        for change in found:
            listed.add_words(one_line(str(change)))
        listed.column.addStretch(1)
        listed.setMinimumHeight(min(240, 40 + 28 * count) if found else 0)
        kept = self.tr("The model in use, stored keys and the editor stay as they are.")
        keys = self.tr("A new model has no key yet; type it on the page Models.")
        more = self.words(f"{kept} {keys}" if imported.added else kept, "muted")
        self.act.setEnabled(bool(found))
        set_role(self.act, "primary")
        self.arrange(self.words(said), listed, more)


class SettingsFiles(QObject):
    """Writes and reads files of settings."""

    imported = Signal(object)  # the ImportedSettings the user agreed to
    saved = Signal(str, Path)  # that the settings were written, as a sentence, and the file

    def __init__(self, commands: CommandQueue, parent: QObject) -> None:
        super().__init__(parent)
        self._commands = commands
        self._folder = ""

    def ask_export(self, settings: Settings, window: QWidget) -> None:
        """Ask for a file, and write the settings there."""
        dialog = self._dialog(self.tr("Export settings"), window)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("json")
        dialog.selectFile("desktop-rag-settings.json")
        dialog.fileSelected.connect(lambda path: self.export(settings, Path(path)))
        dialog.open()

    def ask_import(self, settings: Settings, window: QWidget) -> None:
        """Ask for a file, and show what it would change."""
        dialog = self._dialog(self.tr("Import settings"), window)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda path: self.show_import(settings, Path(path), window))
        dialog.open()

    def export(self, settings: Settings, path: Path) -> None:
        """Write the settings to `path` in the background."""
        self._folder = str(path.parent)
        done = self.tr("Saved as {0}, without keys").format(one_line(path.name))
        self._commands.run(lambda _: write_export(path, settings), lambda _: self.saved.emit(done, path))

    def show_import(self, settings: Settings, path: Path, window: QWidget) -> None:
        """Read `path` in the background, then show what it would change."""
        self._folder = str(path.parent)

        def show(imported: ImportedSettings) -> None:
            dialog = ImportDialog(settings, imported, window)
            dialog.accepted.connect(lambda: self.imported.emit(imported))
            dialog.open()

        self._commands.run(lambda _: read_import(path, settings), show)

    def _dialog(self, title: str, window: QWidget) -> QFileDialog:
        dialog = FileDialog(window, title, self._folder)
        dialog.setNameFilter(self.tr("Settings (*.json)"))
        return dialog
