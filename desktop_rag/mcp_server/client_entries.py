"""Adds the server to the settings of programs that use the protocol, and removes it again.

Where each program keeps its settings is from public texts of 2026: see `docs/mcp.md`.
"""

import difflib
import importlib.util
import json
import os
import shlex
import stat
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from desktop_rag.errors import SettingsError
from desktop_rag.index.libraries import KnownLibrary, Libraries
from desktop_rag.mcp_server.commented_json import get_member, remove_member, restore_member, set_member
from desktop_rag.paths import data_home, write_durably
from desktop_rag.processes.child import own_command
from desktop_rag.text.json_types import Json

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
