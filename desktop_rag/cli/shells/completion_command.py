"""`desktop-rag completion`: completions for a shell, and the names that they offer."""

from desktop_rag.agent.toolkits.registry import askable_toolkits, toolkit
from desktop_rag.cli.output import FOUND, Output
from desktop_rag.cli.settings_command import setting_keys
from desktop_rag.cli.shells.completions import SHELLS
from desktop_rag.index.libraries import Libraries
from desktop_rag.mcp_server.client_entries import CLIENTS
from desktop_rag.paths import data_home, settings_file
from desktop_rag.settings import load
from desktop_rag.text.display import one_line


def completion(shell: str | None, listed: str | None, output: Output) -> int:
    """Print the completions for `shell`, or else the names of one list."""
    if shell is not None:
        text = SHELLS[shell]()
        if output.as_json:
            output.value({"type": "completion", "shell": shell, "text": text})
        else:
            output.line(text.rstrip("\n"))
        return FOUND
    for name in _names(listed):
        if output.as_json:
            output.value({"type": "name", "name": name})
        else:
            output.line(one_line(name))
    return FOUND


def _names(listed: str | None) -> tuple[str, ...]:
    match listed:
        case "libraries":
            return tuple(known.name for known in Libraries(data_home()).all())
        case "profiles":
            return ("built-in", *(profile.name for profile in load(settings_file()).profiles))
        case "programs":
            return tuple(CLIENTS)
        case "settings":
            return setting_keys(load(settings_file()))
    return (*askable_toolkits(), "help")


def list_toolkits(output: Output) -> int:
    """Print the toolkits with what they do."""
    for name in askable_toolkits():
        kit = toolkit(name)
        if output.as_json:
            output.value({"toolkit": name, "summary": kit.summary, "tools": [spec.name for spec in kit.specs()]})
        else:
            output.line(f"{name:30} {kit.summary}")
    return FOUND
