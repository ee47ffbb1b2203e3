"""`desktop-rag settings`: every setting with its value, meaning and place; one can be changed."""

import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import msgspec

from desktop_rag.agent.toolkits.registry import askable_toolkits
from desktop_rag.cli.output import FOUND, Output, shown_path
from desktop_rag.decoding import converted
from desktop_rag.errors import SettingsError
from desktop_rag.index.libraries import Libraries, present
from desktop_rag.index.library_client import LibraryClient
from desktop_rag.paths import data_home, settings_file
from desktop_rag.settings import FONT_PERCENT, Profile, Settings, load, save
from desktop_rag.stop import Stop
from desktop_rag.text.display import one_line, printable
from desktop_rag.text.json_types import Json

DEFAULT = "default"  # instead of a value
PROFILE = "profiles.NAME."  # of the fields of an endpoint
MEANINGS = {
    "active_profile": "the endpoint that answers; empty: the built-in model",
    "toolkit": "how questions are answered; `ask --toolkit help` lists the names",
    "limits.steps": "most steps of a run",
    "limits.tool_calls": "most searches and other calls of a run",
    "limits.seconds": "most seconds of a run, from the model's first words on; 0: no limit",
    "limits.context_tokens": "most tokens of one request; 0: what the endpoint takes",
    "limits.total_tokens": "most tokens of a run; 0: no limit",
    "money.run": "money per run before you are asked; 0: no limit",
    "money.day": "money per day before you are asked; 0: no limit",
    "money.month": "money per month before you are asked; 0: no limit",
    "privacy.offline": "true: connect to nothing but this computer",
    "privacy.never_send": "files and folders that are never sent to a model: a list of paths",
    "privacy.never_tags": "tags of documents that are never sent to a model: a list",
    "privacy.never_words": "words and phrases that are masked in what is sent: a list",
    "privacy.mask_secrets": "mask keys, passwords, card and account numbers in what is sent",
    "privacy.confirmed_hosts": "hosts to which you have allowed to send",
    "theme": "the look of the window: system, light or dark",
    "font_percent": f"size of the text in the window, {FONT_PERCENT[0]} to {FONT_PERCENT[1]} % of the system's",
    "density": "room between texts of the window: comfortable or compact",
    "language": "of the window: en, de or zh_CN; empty: the system's",
    "unsourced": "statements without a source: mark them, or forbid them",
    "second_look": "the model compares the statements of its answer with the lines they cite",
    "follow_ups": "suggest questions below the last answer",
    "desktop.notify": "notify of long runs that end while you use another program",
    "desktop.notify_question": "show the question in such notices",
    "desktop.tray": "an icon in the tray; closing the window then only hides it",
    "desktop.start_at_login": "start when you log in",
    "desktop.hotkey": "the key that opens the window from anywhere",
    "desktop.dark_pages": "printed pages on dark paper in the dark theme",
    "desktop.system_accent": "the accent colour of the system",
    "desktop.reduced_motion": "nothing moves by itself",
    "editor": "the command that opens {path} at {line}; empty: the first editor found",
    "notes": "the folder to which the window saves notes, which is searched; empty: it asks at the first one",
    "shortcuts": "changed keys of the window by command",
    "encoder": "the folder of the sentence encoder; change it with `desktop-rag encoder`",
    "update_address": "the release feed that “Check for updates” asks",
    "introduced": "the dialog of the first start was answered",
    f"{PROFILE}base_url": "the address of the endpoint, up to /v1",
    f"{PROFILE}model": "the name of the model there",
    f"{PROFILE}context_window": "tokens that the model can take",
    f"{PROFILE}max_output": "most tokens of an answer",
    f"{PROFILE}temperature": "sampling temperature; null: the endpoint's",
    f"{PROFILE}top_p": "nucleus sampling; null: the endpoint's",
    f"{PROFILE}reasoning_effort": "such as low, medium or high; empty: the endpoint's",
    f"{PROFILE}api": "chat completions or responses; empty: found out",
    f"{PROFILE}ca_file": "a PEM file with certificates to trust",
    f"{PROFILE}client_certificate": "a PEM file with certificate and key",
    f"{PROFILE}proxy": "the address of a proxy, or direct; empty: the system's",
    f"{PROFILE}patience": "seconds to wait for the first words",
    f"{PROFILE}fast_model": "a cheaper model for simple tasks; empty: none",
    f"{PROFILE}local_only": "true: refuse to send to any other computer",
    f"{PROFILE}price_in": "price of a million prompt tokens; null: unknown",
    f"{PROFILE}price_out": "price of a million tokens of the answer; null: unknown",
    f"{PROFILE}fast_price_in": "the same of the fast model",
    f"{PROFILE}fast_price_out": "the same of the fast model",
    f"{PROFILE}priced_on": "the day of the prices, as 2026-11-23",
    f"{PROFILE}model_file": "a GGUF file that this program runs itself; the address is empty then",
    f"{PROFILE}model_program": "the llama-server that runs the file; empty: an installed llama.cpp",
    f"{PROFILE}idle_minutes": "minutes until an unused model file leaves the memory; 0: never",
}


def settings(key: str | None, value: str | None, output: Output, stop: Stop) -> int:
    """Change a setting if a value is given, then print it, or all without a key; raises `SettingsError`."""
    file = settings_file()
    current = load(file)
    if key is None:
        output.note(f"{printable(file)}; keys of endpoints are in the keychain of the system.", "dim")
        for name, found in sorted(_values(current)):
            _print(name, found, output)
        return FOUND
    _value_of(current, key)
    if value is not None:
        current = changed(current, key, value)
        save(file, current)
        output.note("Rules about what may be sent apply at once. A window that is open shows the change later.")
    _print(key, _value_of(current, key), output)
    if key == "notes" and value is not None and current.notes:  # is searched as if it was chosen in the window
        with closing(LibraryClient(present(Libraries(data_home()).usual()))) as client:
            for path, reason in client.add((Path(current.notes),), stop).refused:
                output.error(f"{shown_path(path)} is not searched", reason)
    return FOUND


def setting_keys(current: Settings) -> tuple[str, ...]:
    """Return the keys of all settings."""
    return tuple(sorted(key for key, _ in _values(current)))


def changed(current: Settings, key: str, value: str) -> Settings:
    """Return the settings with one value replaced; raises `SettingsError` for a value that it cannot have."""
    made = _replaced(current, key, _default_of(key) if value == DEFAULT else _parsed(value))
    if made is None:  # such as a model that is called 4
        made = _replaced(current, key, value)
    if made is None:
        raise SettingsError(f"{key} cannot be “{one_line(value)}”, but {_possible(key)}. It is: {meaning(key)}.")
    least, most = FONT_PERCENT
    known = {"", *(profile.name for profile in made.profiles)}
    if key == "privacy.never_send":
        whole = tuple(map(_whole_path, made.privacy.never_send))
        made = replace(made, privacy=replace(made.privacy, never_send=whole))
    made = replace(made, notes=_whole_path(made.notes)) if key == "notes" else made
    if made.toolkit not in askable_toolkits() or made.active_profile not in known:
        raise SettingsError(f"There is no “{one_line(value)}”. {key} is: {meaning(key)}.")
    numbers = (*msgspec.to_builtins(made.limits).values(), *msgspec.to_builtins(made.money).values())
    too_small = min(numbers) < 0 or min(made.limits.steps, made.limits.tool_calls) < 1
    if too_small or not least <= made.font_percent <= most:
        raise SettingsError(f"{key} cannot be “{one_line(value)}”, but {_possible(key)}. It is: {meaning(key)}.")
    return made


def meaning(key: str) -> str:
    """Return what a setting is for."""
    if not key.startswith("profiles."):
        return MEANINGS[key]
    return MEANINGS[PROFILE + key.rpartition(".")[2]]


def _possible(key: str) -> str:
    """Return which values a setting may have, for an error."""
    match _default_of(key):
        case bool():
            return "true or false"
        case list() | tuple():
            return 'a list such as ["one", "two"]'
        case int() | float() if key == "font_percent":
            return f"a number from {FONT_PERCENT[0]} to {FONT_PERCENT[1]}"
        case int():
            return f"a whole number from {int(key in ('limits.steps', 'limits.tool_calls'))}"
        case float():
            return "a number from 0"
    return "a text"


def _whole_path(written: str) -> str:
    """Return an absolute path without symbolic links: what was meant here must be meant everywhere."""
    return os.path.realpath(Path(written).expanduser()) if written.strip() else ""


def _values(current: Settings) -> Iterator[tuple[str, Json]]:
    """Yield all keys with their values."""
    for field in fields(current):
        value = getattr(current, field.name)
        if field.name == "profiles":
            for profile in current.profiles:
                for name, found in msgspec.to_builtins(profile).items():
                    if name != "name":
                        yield f"profiles.{profile.name}.{name}", found
        elif is_dataclass(value):
            yield from ((f"{field.name}.{name}", found) for name, found in msgspec.to_builtins(value).items())
        else:
            yield field.name, msgspec.to_builtins(value)


def _value_of(current: Settings, key: str) -> Json:
    known = dict(_values(current))
    if key not in known:
        raise SettingsError(f"There is no setting “{one_line(printable(key))}”. `desktop-rag settings` lists them.")
    return known[key]


def _default_of(key: str) -> Json:
    if key.startswith("profiles."):
        return dict(msgspec.to_builtins(Profile("", "", ""))).get(key.rpartition(".")[2])
    return _value_of(Settings(), key)


def _parsed(value: str) -> Json:
    try:
        parsed: Json = msgspec.json.decode(value)
    except msgspec.DecodeError:
        return value
    return parsed


def _replaced(current: Settings, key: str, value: Json) -> Settings | None:
    """Return the settings with another value, None if its type does not fit."""
    raw = msgspec.to_builtins(current)
    group, _, name = key.rpartition(".")
    if group.startswith("profiles."):
        place = next(profile for profile in raw["profiles"] if profile["name"] == group.removeprefix("profiles."))
    else:
        place = raw[group] if group else raw
    place[name] = value
    try:
        return converted(raw, Settings)
    except msgspec.ValidationError:
        return None


def _print(key: str, value: Json, output: Output) -> None:
    if output.as_json:
        output.value({"key": key, "value": value, "meaning": meaning(key), "file": printable(settings_file())})
        return
    shown = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    output.text((f"{key} ", "bold"), (f"= {one_line(shown)}", ""), (f"  {meaning(key)}", "dim"))
