"""Generates the manual page and the shell completions from the program's own argument parsers."""

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag import __version__
from desktop_rag.cli.program import VERBS, verb_parser, window_parser

PROGRAM = "desktop-rag"
SUMMARY = "ask your folders, and see the line that proves the answer"


@dataclass(frozen=True, slots=True)
class Option:
    """An option or a positional argument of the program."""

    flags: tuple[str, ...]  # empty for a positional argument
    value: str  # the name of its value, "" for a switch
    choices: tuple[str, ...]
    help: str


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


def manual(date: str) -> str:
    """Return the manual page in troff; `date` as YYYY-MM-DD."""
    window, *verbs = commands()
    lines = [
        f'.TH DESKTOP-RAG 1 "{date}" "Desktop RAG {__version__}" "User Commands"',
        ".SH NAME",
        f"desktop\\-rag \\- {SUMMARY}",
        ".SH SYNOPSIS",
        ".B desktop\\-rag",
        "[\\fIOPTION\\fR]... [\\fIFOLDER\\fR]...",
        ".br",
        ".B desktop\\-rag",
        "\\fIVERB\\fR [\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...",
        ".SH DESCRIPTION",
        "Without a verb, opens the window and adds the folders to its library. With a verb, works without a window,",
        "also while the window is open. Everything is read, indexed and searched on this computer; the only address",
        "that the program contacts is the model endpoint configured in its settings.",
        ".SH OPTIONS",
        *_described(window),
    ]
    for verb in verbs:
        lines += [f".SH VERB {verb.name.upper()}", f"{_troff(verb.help)}.", *_described(verb)]
    lines += [
        ".SH ENVIRONMENT",
        ".TP",
        ".B DESKTOP_RAG_HOME",
        "The folder of settings, libraries and conversations, in place of the default.",
        ".SH FILES",
        ".TP",
        ".I ~/.local/share/desktop\\-rag",
        "Settings, libraries and conversations. Keys of endpoints are in the keyring of the desktop, in no file.",
        ".SH EXIT STATUS",
        "0 if there was a result, 1 if there was none or the program could not work, 2 for a wrong command line,",
        "130 if it was interrupted.",
    ]
    return "\n".join(lines) + "\n"


def _described(command: Command) -> Iterator[str]:
    for option in command.options:
        yield ".TP"
        flags = ", ".join(f"\\fB{_troff(flag)}\\fR" for flag in option.flags)
        value = f"\\fI{_troff(option.value)}\\fR" if option.value else ""
        yield " ".join(part for part in (flags, value) if part)
        choices = f" One of: {', '.join(option.choices)}." if option.choices else ""
        yield _troff((option.help[:1].upper() + option.help[1:]).rstrip(".") + "." + choices)


def _troff(text: str) -> str:
    return (
        text.replace("\\", "\\\\").replace("-", "\\-").replace("“", "\\(lq").replace("”", "\\(rq").replace("'", "\\(aq")
    )


def bash_completion() -> str:
    """Return the completions for bash."""
    window, *verbs = commands()
    cases = "\n".join(f'    {verb.name}) words="{_flags(verb)}" ;;' for verb in verbs)
    values = "\n".join(
        f'    {"|".join(option.flags)}) COMPREPLY=($(compgen -W "{" ".join(option.choices)}" -- "$current")); return ;;'
        for option in _with_choices([window, *verbs])
    )
    return f"""# bash completion for desktop-rag, generated from its argument parsers
_desktop_rag() {{
  local current="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" words=""
  case "$previous" in
{values}
  esac
  case "${{COMP_WORDS[1]}}" in
{cases}
    *) words="{_flags(window)}"; [ "$COMP_CWORD" -eq 1 ] && words="$words {" ".join(verb.name for verb in verbs)}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ "${{current#-}}" = "$current" ] && COMPREPLY+=($(compgen -f -- "$current"))
  compopt -o filenames 2>/dev/null || true
}}
complete -F _desktop_rag desktop-rag
"""


def zsh_completion() -> str:
    """Return the completions for zsh."""
    window, *verbs = commands()
    described = " ".join(_quoted(f"{verb.name}:{verb.help}") for verb in verbs)
    cases = "\n".join(f"    {verb.name}) _arguments {_zsh(verb)} '*:file:_files' ;;" for verb in verbs)
    return f"""#compdef desktop-rag
# Generated from the argument parsers of desktop-rag.
local -a verbs
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
        for flag in option.flags:
            value = f":{option.value}:({' '.join(option.choices)})" if option.choices else f":{option.value}:_files"
            meaning = re.sub(r"[\[\]:]", " ", option.help)
            parts.append(_quoted(f"{flag}[{meaning}]{value if option.value else ''}"))
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
        for option in command.options:
            lines += [_fish(option, condition)] if option.flags else []
    return "\n".join(lines) + "\n"


def _fish(option: Option, condition: str) -> str:
    flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags)
    choices = f" -x -a {_quoted(' '.join(option.choices))}" if option.choices else " -r" if option.value else ""
    return f"complete -c {PROGRAM} -n {condition} {flags}{choices} -d {_quoted(option.help)}"


def _flags(command: Command) -> str:
    return " ".join(flag for option in command.options for flag in option.flags)


def _with_choices(known: list[Command]) -> list[Option]:
    """Return the options with choices, each set of flags once."""
    return list(
        {option.flags: option for each in known for option in each.options if option.choices and option.flags}.values()
    )


def _quoted(text: str) -> str:
    """Quote for all three shells: an apostrophe becomes a typographic one, which needs no quoting."""
    return "'" + text.replace("'", "’").replace("\\", "") + "'"
