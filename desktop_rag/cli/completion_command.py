"""`desktop-rag completion`: completions for a shell, made by shtab, and the names that they ask for while typing."""

import argparse
import re

from desktop_rag.cli.output import FOUND, Output
from desktop_rag.cli.verb_parsers import LISTS, verb_parser, window_parser
from desktop_rag.paths import data_home, settings_file
from desktop_rag.settings import load
from desktop_rag.text.display import one_line

# What shtab does not know: names with spaces, and that folders may stand in the place of a verb.

_LISTING = {
    "bash": """_desktop_rag_{kind}() {{
  local name
  while IFS= read -r name; do
    printf -v name %q "$name"
    if [[ $name == "$1"* ]]; then echo "$name"; fi
  done < <(desktop-rag completion --list {kind} 2>/dev/null)
}}""",
    "zsh": """_desktop_rag_{kind}() {{
  local -a names=(${{(f)"$(desktop-rag completion --list {kind} 2>/dev/null)"}})
  compadd -a names
}}""",
    "powershell": """function _desktop_rag_{kind} {{
  param([string]$WordToComplete)
  desktop-rag completion --list {kind} 2>$null | Where-Object {{ $_.StartsWith($WordToComplete) }} | ForEach-Object {{
    if ($_ -match '[\\s''"]') {{ "'" + $_.Replace("'", "''") + "'" }} else {{ $_ }}
  }}
}}""",
}
_FOLDERS = {
    "bash": "_shtab_desktop_rag_pos_0_COMPGEN=_shtab_compgen_files",
    "fish": "complete -c desktop-rag -n _shtab_desktop_rag_using -a '(__fish_complete_path (commandline -ct))'",
    "powershell": "$_shtab_desktop_rag_compgens['_shtab_desktop_rag_pos_0'] = '_shtab_powershell_compgen_files'",
}
_ZSH_FOLDERS = """functions[_desktop_rag_verbs]=$functions[_shtab_desktop_rag]
_shtab_desktop_rag() {
  [[ $words[CURRENT] != -* ]] && { (( CURRENT == 2 )) || [[ -e $words[2] ]] } && _files
  _desktop_rag_verbs "$@"
}"""


def completion_script(shell: str) -> str:
    """Return the completions for bash, zsh, fish or powershell."""
    import shtab

    parser = verb_parser()
    for action in window_parser()._actions:
        if action.option_strings and action.dest != "help":
            parser._add_action(action)
    verbs = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    for action in (action for each in (parser, *verbs.choices.values()) for action in each._actions):
        action.help = (action.help or "").replace("\\", "/")  # fish takes one before a quote for an escape
        if action.nargs != 0 and not action.choices:
            listed = next((LISTS[name] for name in (*action.option_strings, action.metavar) if name in LISTS), "")
            action.complete = _names(listed) if listed else shtab.FILE
            action.metavar = re.sub(r"\W+", " ", str(action.metavar or action.dest)).strip()  # zsh splits at colons
    made = shtab.complete(parser, shell, preamble=_ZSH_FOLDERS if shell == "zsh" else "")
    return f"{made}\n{_FOLDERS.get(shell, '')}\n"


def _names(kind: str) -> dict[str, str | dict[str, str]]:
    function = f"_desktop_rag_{kind}"
    made = {shell: text.format(kind=kind) for shell, text in _LISTING.items()}
    return {
        **dict.fromkeys(made, function),
        "fish": f"(desktop-rag completion --list {kind} 2>/dev/null)",
        "preamble": made,
    }


def completion(shell: str | None, listed: str | None, output: Output) -> int:
    """Print the completions for `shell`, or else the names of one list."""
    if shell is not None:
        text = completion_script(shell)
        if output.as_json:
            output.value({"type": "completion", "shell": shell, "text": text})
        else:
            output.line(text.rstrip("\n"))
        return FOUND
    for name in _listed(listed):
        if output.as_json:
            output.value({"type": "name", "name": name})
        else:
            output.line(one_line(name))
    return FOUND


def _listed(kind: str | None) -> tuple[str, ...]:
    """Return the names of a list; what it does not need is not imported: somebody types."""
    match kind:
        case "libraries":
            from desktop_rag.index.libraries import Libraries

            return tuple(known.name for known in Libraries(data_home()).all())
        case "profiles":
            return ("built-in", *(profile.name for profile in load(settings_file()).profiles))
        case "programs":
            from desktop_rag.mcp_server.client_entries import CLIENTS

            return tuple(CLIENTS)
        case "settings":
            from desktop_rag.cli.settings_command import setting_keys

            return setting_keys(load(settings_file()))
    from desktop_rag.agent.toolkits.registry import askable_toolkits

    return (*askable_toolkits(), "help")


def list_toolkits(output: Output) -> int:
    """Print the toolkits with what they do."""
    from desktop_rag.agent.toolkits.registry import askable_toolkits, toolkit

    for name in askable_toolkits():
        kit = toolkit(name)
        if output.as_json:
            output.value({"toolkit": name, "summary": kit.summary, "tools": [spec.name for spec in kit.specs()]})
        else:
            output.line(f"{name:30} {kit.summary}")
    return FOUND
