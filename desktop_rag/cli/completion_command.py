"""`desktop-rag completion`: completions for a shell, and the names that they offer."""

import argparse
import re
from collections.abc import Callable
from dataclasses import dataclass

from desktop_rag.agent.toolkits.registry import askable_toolkits, toolkit
from desktop_rag.cli.output import FOUND, Output
from desktop_rag.cli.settings_command import setting_keys
from desktop_rag.cli.verb_parsers import LISTS, VERBS, verb_parser, window_parser
from desktop_rag.index.libraries import Libraries
from desktop_rag.mcp_server.client_entries import CLIENTS
from desktop_rag.paths import data_home, settings_file
from desktop_rag.settings import load
from desktop_rag.text.display import one_line

# Completions for the shells, generated from the argument parsers; names of the user's are asked for while typing.

PROGRAM = "desktop-rag"


@dataclass(frozen=True, slots=True)
class Option:
    """An option or a positional argument of the program."""

    flags: tuple[str, ...]  # empty for a positional argument
    value: str  # the name of its value, "" for a switch
    choices: tuple[str, ...]
    help: str

    @property
    def listed(self) -> str:
        """Return the list of `LISTS` that holds its values, "" for none."""
        return next((LISTS[flag] for flag in self.flags or (self.value,) if flag in LISTS), "")


@dataclass(frozen=True, slots=True)
class Command:
    """A verb with its options; the window's command has no name."""

    name: str
    help: str
    options: tuple[Option, ...]


def commands() -> list[Command]:
    """Return the window's command and all verbs, in the order of the help."""
    verbs = next(action for action in verb_parser()._actions if isinstance(action, argparse._SubParsersAction))
    known: dict[str, argparse.ArgumentParser] = dict(verbs.choices)
    window = Command("", "Open the window", _options(window_parser()))
    return [window, *(Command(name, VERBS[name], _options(known[name])) for name in VERBS)]


def _options(parser: argparse.ArgumentParser) -> tuple[Option, ...]:
    return tuple(
        Option(
            tuple(action.option_strings),
            "" if action.nargs == 0 else _value(action),
            tuple(str(choice) for choice in action.choices or ()),
            re.sub(r"%\(\w+\)s", "", action.help or ""),
        )
        for action in parser._actions
        if action.help != argparse.SUPPRESS
    )


def _value(action: argparse.Action) -> str:
    named = action.metavar or action.dest.upper()
    return " ".join(named) if isinstance(named, tuple) else named


def bash_completion() -> str:
    """Return the completions for bash."""
    window, *verbs = commands()
    cases = "\n".join(f'    {verb.name}) words="{_words(verb)}" {_first_names(verb)};;' for verb in verbs)
    values = "\n".join(
        f'    {"|".join(option.flags)}) COMPREPLY=($(compgen -W "{" ".join(option.choices)}" -- "$current")); return ;;'
        for option in _each_once([window, *verbs], lambda option: bool(option.choices))
    )
    names = "\n".join(
        f'    {"|".join(option.flags)}) _desktop_rag_names {option.listed} "$current"; return ;;'
        for option in _each_once([window, *verbs], lambda option: bool(option.listed and option.flags))
    )
    return f"""# bash completion for desktop-rag, generated from its argument parsers
_desktop_rag_names() {{
  local name
  while IFS= read -r name; do
    [[ "$name" == "$2"* ]] && COMPREPLY+=("$(printf %q "$name")")
  done < <({PROGRAM} completion --list "$1" 2>/dev/null)
}}
_desktop_rag() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" words=""
  COMPREPLY=()
  case "$previous" in
{values}
{names}
  esac
  case "${{COMP_WORDS[1]}}" in
{cases}
    *) words="{_words(window)}"; [ "$COMP_CWORD" -eq 1 ] && words="$words {" ".join(verb.name for verb in verbs)}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ "${{current#-}}" = "$current" ] && COMPREPLY+=($(compgen -f -- "$current"))
  compopt -o filenames 2>/dev/null || true
}}
complete -F _desktop_rag desktop-rag
"""


def _first_names(command: Command) -> str:
    """Return what offers the names of the first argument, if they can be listed."""
    listed = next((option.listed for option in command.options if not option.flags and option.listed), "")
    if not listed:
        return ""
    begins = '[ "$COMP_CWORD" -eq 2 ] && [ "${current#-}" = "$current" ]'
    return f'; if {begins}; then _desktop_rag_names {listed} "$current"; return; fi '


def zsh_completion() -> str:
    """Return the completions for zsh."""
    window, *verbs = commands()
    described = " ".join(_quoted(f"{verb.name}:{verb.help}") for verb in verbs)
    cases = "\n".join(f"    {verb.name}) _arguments {_zsh(verb)} '*:file:_files' ;;" for verb in verbs)
    return f"""#compdef desktop-rag
# Generated from the argument parsers of desktop-rag.
local -a verbs names
verbs=({described})
if (( CURRENT == 2 )); then
  _describe 'verb' verbs
  _arguments {_zsh(window)} '*:folder:_files'
else
  local verb=$words[2]
  shift words
  (( CURRENT-- ))
  case $verb in
{cases}
    *) _arguments {_zsh(window)} '*:folder:_files' ;;
  esac
fi
"""


def _zsh(command: Command) -> str:
    parts = []
    for option in command.options:
        listed = f'names=(${{(f)"$({PROGRAM} completion --list {option.listed} 2>/dev/null)"}}); compadd -a names'
        values = f"({' '.join(option.choices)})" if option.choices else f"{{{listed}}}" if option.listed else "_files"
        meaning = re.sub(r"[\[\]:]", " ", option.help)
        taken = f":{option.value}:{values}" if option.value else ""
        parts += [_quoted(f"{flag}[{meaning}]{taken}") for flag in option.flags]
        if not option.flags and (option.choices or option.listed):
            parts.append(_quoted(f"1:{option.value}:{values}"))
    return " ".join(parts)


def fish_completion() -> str:
    """Return the completions for fish."""
    window, *verbs = commands()
    names = " ".join(verb.name for verb in verbs)
    lines = ["# fish completions for desktop-rag, generated from its argument parsers"]
    for verb in verbs:
        meaning = _quoted(verb.help)
        lines.append(f"complete -c {PROGRAM} -n __fish_use_subcommand -a {verb.name} -d {meaning}")
    for command in (window, *verbs):
        seen = f"__fish_seen_subcommand_from {command.name or names}"
        condition = _quoted(seen if command.name else f"not {seen}")
        lines += [
            _fish(option, condition) for option in command.options if option.flags or option.choices or option.listed
        ]
    return "\n".join(lines) + "\n"


def _fish(option: Option, condition: str) -> str:
    flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags)
    values = f"({PROGRAM} completion --list {option.listed} 2>/dev/null)" if option.listed else " ".join(option.choices)
    choices = f" -x -a {_quoted(values)}" if values else " -r" if option.value else ""
    return f"complete -c {PROGRAM} -n {condition} {flags}{choices} -d {_quoted(option.help)}"


def powershell_completion() -> str:
    """Return the completions for PowerShell."""
    window, *verbs = commands()
    known = [window, *verbs]
    words = "\n".join(f"    '{verb.name}' = '{_words(verb)}'" for verb in verbs)
    values = "\n".join(
        f"    '{flag}' = '{' '.join(option.choices)}'"
        for option in _each_once(known, lambda option: bool(option.choices))
        for flag in option.flags
    )
    listed = "\n".join(f"    '{'settings' if flag == 'KEY' else flag}' = '{kind}'" for flag, kind in LISTS.items())
    return rf"""# PowerShell completion for desktop-rag, generated from its argument parsers
Register-ArgumentCompleter -Native -CommandName {PROGRAM} -ScriptBlock {{
  param($current, $commandLine, $position)
  $words = @{{
{words}
  }}
  $values = @{{
{values}
  }}
  $lists = @{{
{listed}
  }}
  $typed = @($commandLine.CommandElements | ForEach-Object {{ $_.ToString() }})
  $previous = if ($current) {{ $typed[-2] }} else {{ $typed[-1] }}
  if ($lists.ContainsKey($previous)) {{
    $found = @({PROGRAM} completion --list $lists[$previous] 2>$null)
  }} elseif ($values.ContainsKey($previous)) {{
    $found = $values[$previous] -split ' '
  }} elseif ($typed.Count -gt 1 -and $words.ContainsKey($typed[1]) -and $current -ne $typed[1]) {{
    $found = $words[$typed[1]] -split ' '
  }} else {{
    $found = @($words.Keys) + ('{_words(window)}' -split ' ') | Sort-Object
  }}
  $found | Where-Object {{ $_.StartsWith($current) }} | ForEach-Object {{
    $text = if ($_ -match '[\s''"]') {{ "'" + $_.Replace("'", "''") + "'" }} else {{ $_ }}
    [System.Management.Automation.CompletionResult]::new($text, $_, 'ParameterValue', $_)
  }}
}}
"""


def _words(command: Command) -> str:
    """Return the options of a command, and the values of its arguments."""
    return " ".join(word for option in command.options for word in (option.flags or option.choices))


def _each_once(known: list[Command], wanted: Callable[[Option], bool]) -> list[Option]:
    """Return the options of some kind, each set of flags once."""
    return list({each.flags: each for one in known for each in one.options if each.flags and wanted(each)}.values())


def _quoted(text: str) -> str:
    """Quote for all three shells: an apostrophe becomes a typographic one, which needs no quoting."""
    return "'" + text.replace("'", "’").replace("\\", "") + "'"


SHELLS: dict[str, Callable[[], str]] = {
    "bash": bash_completion,
    "zsh": zsh_completion,
    "fish": fish_completion,
    "powershell": powershell_completion,
}


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
