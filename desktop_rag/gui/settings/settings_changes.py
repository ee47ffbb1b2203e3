"""What differs between two settings, in the words of the settings pages."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass

from PySide6.QtCore import QCoreApplication

from desktop_rag.gui.answer_methods import method_name
from desktop_rag.gui.catalogues import LANGUAGES
from desktop_rag.gui.formatting import number
from desktop_rag.settings import Density, Profile, Settings, Theme, Unsourced

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
            yield SettingChange(name, _shown(each.name, old), _shown(each.name, new))


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


def _shown(name: str, value: object) -> str:
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


def _tr(text: str) -> str:
    return QCoreApplication.translate("SettingsChanges", text)
