"""Adds the server to the settings of programs that use the protocol, and removes it again.

Where each program keeps its settings is from public texts of 2026: see `docs/mcp.md`.
"""

import difflib
import importlib.util
import json
import os
import re
import shlex
import stat
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.errors import SettingsError
from desktop_rag.index.libraries import KnownLibrary, Libraries
from desktop_rag.paths import data_home, write_durably
from desktop_rag.processes.child import own_command
from desktop_rag.text.json_types import Json

# Edits JSON files of other programs in place: comments, order, indentation and trailing commas of the rest stay.
#
# The dialect is that of Visual Studio Code and Zed: JSON with `//` and `/* */` comments and trailing commas.

_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_WORD = re.compile(r"-?\d[\d.eE+-]*|true|false|null")
_INDENT = re.compile(r"^([ \t]+)\S", re.MULTILINE)
MOST_DEPTH = 100


@dataclass(frozen=True, slots=True)
class _Member:
    """A member of an object: its name, and the offsets of its name and its value."""

    name: str
    start: int
    value_start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Object:
    """An object: the offsets of its braces, its members, and whether a comma follows the last one."""

    start: int
    end: int  # of the closing brace
    members: tuple[_Member, ...]
    trailing: bool


def get_member(text: str, path: Sequence[str]) -> str | None:
    """Return the text of the value at `path`, None if there is none; raises `SettingsError` for what is no JSON."""
    if not text.strip():
        return None
    start, end = _whole(text)
    for name in path:
        if text[start : start + 1] != "{":
            return None
        member = _member(_read_object(text, start, 0), name)
        if member is None:
            return None
        start, end = member.value_start, member.end
    return text[start:end]


def set_member(text: str, path: Sequence[str], value: Json) -> str:
    """Return the text with `value` at `path`, whose objects are made if missing; raises `SettingsError`."""
    if _has_crlf(text):
        return set_member(text.replace("\r\n", "\n"), path, value).replace("\n", "\r\n")
    if not text.strip():
        text = "{}\n"
    start, _ = _whole(text)
    for depth, name in enumerate(path):
        if text[start : start + 1] != "{":
            raise SettingsError(f"“{'.'.join(path[:depth]) or 'The file'}” is no object: edit the file by hand.")
        found = _read_object(text, start, 0)
        member = _member(found, name)
        if member is None:
            for each in reversed(path[depth + 1 :]):
                value = {each: value}
            return _inserted(text, found, name, value, depth)
        start, end = member.value_start, member.end
    with suppress(ValueError):  # comments
        if json.loads(text[start:end]) == value:
            return text
    return text[:start] + _written(value, text, len(path)) + text[end:]


def remove_member(text: str, path: Sequence[str]) -> str:
    """Return the text without the member at `path`, and without an object that is empty then; unchanged if none."""
    if _has_crlf(text):
        return remove_member(text.replace("\r\n", "\n"), path).replace("\n", "\r\n")
    if get_member(text, path) is None:
        return text
    start, _ = _whole(text)
    for name in path[:-1]:
        member = _member(_read_object(text, start, 0), name)
        assert member is not None
        start = member.value_start
    found = _read_object(text, start, 0)
    at = next(index for index, each in enumerate(found.members) if each.name == path[-1])
    text = _without(text, found, at)
    if len(found.members) == 1 and len(path) > 1:
        return remove_member(text, path[:-1])
    return text


def restore_member(text: str, path: Sequence[str], raw: str) -> str:
    """Return the text with `raw` as the value that `path` has; unchanged if it has none."""
    start, end = 0, 0
    for name in path:
        start = start or _whole(text)[0]
        member = _member(_read_object(text, start, 0), name) if text[start : start + 1] == "{" else None
        if member is None:
            return text
        start, end = member.value_start, member.end
    return text[:start] + raw + text[end:]


def _has_crlf(text: str) -> bool:
    """Return whether all lines end as on Windows."""
    return "\r\n" in text and text.count("\r\n") == text.count("\n")


def _without(text: str, found: _Object, at: int) -> str:
    """Return the text without the member at this position, its comma and its line."""
    member = found.members[at]
    if at + 1 < len(found.members):  # up to the next member
        comma = text.index(",", _skip(text, member.end)) + 1
        gap = re.match(r"[ \t]*\n?[ \t]*", text[comma:])
        return text[: member.start] + text[comma + (gap.end() if gap else 0) :]
    begin = len(text[: member.start].rstrip())  # comments before it stay
    kept, end = text[:begin], member.end
    if found.trailing:
        end = text.index(",", _skip(text, member.end)) + 1
    elif at:  # the comma after the member before goes too
        comma = text.index(",", _skip(text, found.members[at - 1].end))
        kept = text[:comma] + text[comma + 1 : begin]
    if not at and not (text[found.start + 1 : begin] + text[end : found.end]).strip():
        end = found.end
    elif "\n" in text[begin : member.start] and "\n" not in text[end : found.end]:
        kept += "\n"  # what follows must not become part of a comment
    return kept + text[end:]


def _inserted(text: str, found: _Object, name: str, value: Json, depth: int) -> str:
    """Return the text with a new last member."""
    unit = _indent(text)
    inner, outer = unit * (depth + 1), unit * depth
    entry = f"{json.dumps(name)}: {_written(value, text, depth + 1)}"
    if not found.members:
        comments = text[found.start + 1 : found.end].rstrip()
        return f"{text[: found.start + 1]}{comments}\n{inner}{entry}\n{outer}{text[found.end :]}"
    last = found.members[-1].end
    comma = "" if found.trailing else ","
    at = text.index(",", _skip(text, last)) + 1 if found.trailing else last
    if "\n" not in text[found.start : found.end]:  # an object on one line stays on one
        entry = f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
        return f"{text[:at]}{comma} {entry}{',' if found.trailing else ''}{text[at:]}"
    comment = re.match(r"[ \t]*(?://[^\n]*|/\*[^\n]*?\*/[ \t]*)?(?=\n)", text[at:])
    after = at + (comment.end() if comment else 0)  # a comment on the line stays there
    end = "," if found.trailing else ""
    rest = text[after:] if "\n" in text[after : found.end] else f"\n{outer}{text[found.end :]}"
    return f"{text[:at]}{comma}{text[at:after]}\n{inner}{entry}{end}{rest}"


def _written(value: Json, text: str, depth: int) -> str:
    unit = _indent(text)
    return json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", f"\n{unit * depth}")


def _indent(text: str) -> str:
    match = _INDENT.search(text)
    return match[1] if match else "  "


def _member(found: _Object, name: str) -> _Member | None:
    return next((each for each in reversed(found.members) if each.name == name), None)


def _whole(text: str) -> tuple[int, int]:
    """Return the offsets of the one value of a file."""
    start = _skip(text, 0)
    end = _value_end(text, start, 0)
    if _skip(text, end) != len(text):
        raise _broken(text, end)
    return start, end


def _skip(text: str, at: int) -> int:
    """Return the offset after white space, comments and a byte order mark."""
    if not at and text.startswith("\ufeff"):
        at = 1
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _value_end(text: str, at: int, depth: int) -> int:
    if depth > MOST_DEPTH:
        raise _broken(text, at)
    match text[at : at + 1]:
        case "{":
            return _read_object(text, at, depth).end + 1
        case "[":
            at = _skip(text, at + 1)
            while text[at : at + 1] != "]":
                at = _skip(text, _value_end(text, at, depth + 1))
                if text[at : at + 1] == ",":
                    at = _skip(text, at + 1)
                elif text[at : at + 1] != "]":
                    raise _broken(text, at)
            return at + 1
        case _:
            found = _STRING.match(text, at) or _WORD.match(text, at)
            if found is None:
                raise _broken(text, at)
            return found.end()


def _read_object(text: str, start: int, depth: int) -> _Object:
    members: list[_Member] = []
    trailing = False
    at = _skip(text, start + 1)
    while text[at : at + 1] != "}":
        name = _STRING.match(text, at)
        if name is None or (members and not trailing):
            raise _broken(text, at)
        colon = _skip(text, name.end())
        if text[colon : colon + 1] != ":":
            raise _broken(text, colon)
        value = _skip(text, colon + 1)
        end = _value_end(text, value, depth + 1)
        try:
            members.append(_Member(json.loads(name[0]), at, value, end))
        except ValueError as error:
            raise _broken(text, at) from error
        at = _skip(text, end)
        trailing = text[at : at + 1] == ","
        if trailing:
            at = _skip(text, at + 1)
    return _Object(start, at, tuple(members), trailing)


def _broken(text: str, at: int) -> SettingsError:
    line = text.count("\n", 0, at) + 1
    return SettingsError(f"Line {line} of the file is no valid JSON: mend it first. Nothing was changed.")


SERVER = "desktop-rag"
HOME_VARIABLE = "DESKTOP_RAG_HOME"
KEPT = "client-entries.json"  # in the program's folder: what of the person's own was replaced
REQUIREMENT = "mcp>=2.3,<3"  # as in pyproject.toml
MOST_BYTES = 5_000_000  # of a settings file


@dataclass(frozen=True, slots=True)
class Client:
    """A program: its settings file, the names of the objects in it that hold the servers, and how it writes one."""

    title: str
    file: Callable[[], Path]
    path: tuple[str, ...]
    typed: bool = False  # whether an entry names its transport


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """A change of a settings file that the user has not confirmed yet."""

    client: str
    file: Path
    before: str
    after: str
    own: tuple[str, ...] | None = None  # what of the person's it replaces, to put it back; None: nothing is kept
    made_folders: tuple[str, ...] | None = None  # the file goes, and these folders, if they are empty; None: it stays

    @property
    def changes(self) -> bool:
        """Whether anything is to be written."""
        return self.before != self.after

    def diff(self) -> str:
        """Return the change as a unified diff."""
        name = str(self.file)
        lines = difflib.unified_diff(
            self.before.splitlines(), self.after.splitlines(), name, f"{name} (changed)", lineterm="", n=2
        )
        return "\n".join(lines)


def _settings_folder() -> Path:
    """Return the folder in which programs keep their settings for a user."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _zed() -> Path:
    folder = Path.home() / ".config" if sys.platform == "darwin" else _settings_folder()
    return folder / ("Zed" if sys.platform == "win32" else "zed") / "settings.json"


CLIENTS: Mapping[str, Client] = {
    "claude-desktop": Client(
        "Claude Desktop", lambda: _settings_folder() / "Claude" / "claude_desktop_config.json", ("mcpServers",)
    ),
    "claude-code": Client("Claude Code", lambda: Path.home() / ".claude.json", ("mcpServers",), typed=True),
    "vscode": Client(
        "Visual Studio Code", lambda: _settings_folder() / "Code" / "User" / "mcp.json", ("servers",), typed=True
    ),
    "cursor": Client("Cursor", lambda: Path.home() / ".cursor" / "mcp.json", ("mcpServers",)),
    "zed": Client("Zed", _zed, ("context_servers",)),
    "lm-studio": Client("LM Studio", lambda: Path.home() / ".lmstudio" / "mcp.json", ("mcpServers",)),
    "windsurf": Client("Windsurf", lambda: Path.home() / ".codeium" / "windsurf" / "mcp_config.json", ("mcpServers",)),
    "gemini-cli": Client("Gemini CLI", lambda: Path.home() / ".gemini" / "settings.json", ("mcpServers",)),
}


def protocol_is_installed() -> bool:
    """Return whether this program can serve: the package of the protocol is there."""
    return importlib.util.find_spec("mcp") is not None


def require_protocol() -> None:
    """Raise `SettingsError` if this program cannot serve."""
    if protocol_is_installed():
        return
    if getattr(sys, "frozen", False):
        raise SettingsError("The package of the protocol is not in this build. The released installers have it.")
    raise SettingsError(f"The package of the protocol is not installed. Install it: {_installing_command()}")


def _installing_command() -> str:
    """Return the command that installs the package of the protocol beside this program."""
    prefix, python = Path(sys.prefix), shlex.quote(sys.executable) if os.name != "nt" else f'"{sys.executable}"'
    if (prefix / "pipx_metadata.json").exists():
        return f"pipx inject {prefix.name} mcp"
    if importlib.util.find_spec("pip") is None:  # made by uv
        return f'uv pip install --python {python} "{REQUIREMENT}"'
    return f'{python} -m pip install "{REQUIREMENT}"'


def server_command(library: KnownLibrary | None = None) -> list[str]:
    """Return the command that starts the server of a library from any folder; None: the usual one."""
    if library is None or library.folder == Libraries(data_home()).usual().folder:
        program, *arguments = own_command("mcp")
    else:
        program, *arguments = own_command("mcp", "--library", str(library.folder.absolute()))
    return [os.environ.get("APPIMAGE") or program, *arguments]  # its mounted image lasts only as long as it runs


def plan_adding(name: str, library: KnownLibrary | None = None) -> PlannedChange:
    """Return the change that adds the server of a library, or renews its command; raises `SettingsError`."""
    require_protocol()
    client = _client(name)
    file = client.file()
    before = _read(file)
    program, *arguments = server_command(library)
    entry: dict[str, Json] = {"type": "stdio"} if client.typed else {}
    entry |= {"command": program, "args": list(arguments)}
    if home := os.environ.get(HOME_VARIABLE):  # the other program is started without it
        entry["env"] = {HOME_VARIABLE: str(Path(home).absolute())}
    after = set_member(before, (*client.path, SERVER), entry)
    own = _kept().get(str(file))
    if own is None:
        own = ["absent", *(str(each) for each in file.parents if not each.exists())] if not file.exists() else None
    return PlannedChange(client.title, file, before, after, _own(before, client) if own is None else tuple(own))


def plan_removing(name: str) -> PlannedChange:
    """Return the change that removes the server, and puts back what it replaced; raises `SettingsError`."""
    client = _client(name)
    file = client.file()
    before = _read(file)
    place = *client.path, SERVER
    match _kept().get(str(file)):
        case ["entry", raw] if get_member(before, place) is not None:
            return PlannedChange(client.title, file, before, restore_member(before, place, raw))
        case ["empty", raw] if get_member(before, place) is not None:
            without = remove_member(before, place)
            if get_member(without, client.path) is None:  # it held this entry alone
                without = restore_member(before, client.path, raw)
            return PlannedChange(client.title, file, before, without)
        case ["absent", *folders] if _is_bare(remove_member(before, place), client):
            return PlannedChange(client.title, file, before, "", made_folders=tuple(folders))
        case ["blank", raw] if _is_bare(remove_member(before, place), client):
            return PlannedChange(client.title, file, before, raw)
    return PlannedChange(client.title, file, before, remove_member(before, place))


def _own(text: str, client: Client) -> tuple[str, ...]:
    """Return what is where the entry goes: an entry of this name, an object without any, a blank file."""
    if not text.strip():
        return ("blank", text)
    if (entry := get_member(text, (*client.path, SERVER))) is not None:
        return () if _is_ours(entry) else ("entry", entry)
    servers = get_member(text, client.path)
    return ("empty", servers) if servers is not None and not servers.strip("{} \t\r\n") else ()


def _is_bare(text: str, client: Client) -> bool:
    """Return whether settings hold nothing but the object for servers, without any."""
    bare = remove_member(text, client.path) if get_member(text, client.path) is not None else text
    servers = get_member(text, client.path)
    return not bare.strip("{} \t\r\n") and not (servers or "").strip("{} \t\r\n")


def _is_ours(entry: str) -> bool:
    """Return whether an entry is as this program writes it: it is renewed, not kept."""
    try:
        given = json.loads(entry)
    except ValueError:
        return False
    arguments = given.get("args") if isinstance(given, dict) else None
    if not isinstance(arguments, list) or "mcp" not in arguments:
        return False
    known = {"type", "command", "args"} | ({"env"} if set(given.get("env") or ()) == {HOME_VARIABLE} else set())
    return set(given) <= known and arguments[arguments.index("mcp") + 1 :][:1] in ([], ["--library"])


def _kept() -> dict[str, list[str]]:
    """Return the user's entries that were replaced, by settings file."""
    try:
        kept = json.loads((data_home() / KEPT).read_bytes())
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def is_added(name: str) -> bool:
    """Return whether a program's settings name the server; False if they cannot be read."""
    client = _client(name)
    try:
        return get_member(_read(client.file()), (*client.path, SERVER)) is not None
    except SettingsError:
        return False


def is_installed(name: str) -> bool:
    """Return whether the program seems to be on this computer: its folder of settings exists."""
    file = _client(name).file()
    return file.exists() or (file.parent != Path.home() and file.parent.is_dir())


def carry_out(change: PlannedChange) -> None:
    """Write the change; raises `SettingsError` if the file has changed meanwhile or cannot be written."""
    if _read(change.file) != change.before:
        raise SettingsError(f"{change.file} has just been changed by another program. Try again.")
    target = change.file.resolve()  # a link to the file stays one
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = target.stat().st_mode if target.exists() else None
        kept = _kept()
        kept.pop(str(change.file), None)
        if change.own is not None:
            kept[str(change.file)] = list(change.own)
        data_home().mkdir(parents=True, exist_ok=True)
        write_durably(data_home() / KEPT, json.dumps(kept).encode())
        if change.made_folders is not None:
            target.unlink(missing_ok=True)
            with suppress(OSError):  # one is not empty
                for folder in change.made_folders:
                    Path(folder).rmdir()
            return
        write_durably(target, change.after.encode())
        if mode is not None:
            target.chmod(stat.S_IMODE(mode))
    except OSError as error:
        raise SettingsError(f"{change.file} cannot be written: {error.strerror or error}.") from error


def _client(name: str) -> Client:
    if name not in CLIENTS:
        raise SettingsError(f"There is no program “{name}” here. Known are: {', '.join(CLIENTS)}.")
    return CLIENTS[name]


def _read(file: Path) -> str:
    try:
        if file.exists() and not file.is_file():
            raise SettingsError(f"{file} is no file. Nothing was changed.")
        if file.exists() and file.stat().st_size > MOST_BYTES:
            raise SettingsError(f"{file} is larger than {MOST_BYTES:,} bytes: add the server by hand.")
        return file.read_bytes().decode()
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise SettingsError(f"{file} is not UTF-8 text. Nothing was changed.") from error
    except OSError as error:
        raise SettingsError(f"{file} cannot be read: {error.strerror or error}.") from error
