"""Generates the manual page from the program's own argument parsers."""

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass

from desktop_rag import __version__
from desktop_rag.cli.verb_parsers import VERBS, verb_parser, window_parser

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
        "also while the window is open. Everything is read, indexed and searched on this computer. The program",
        "contacts the model endpoint configured in its settings and, on request alone, where it fetches sentence",
        "encoders and news of releases.",
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
        "130 if it was interrupted, 141 if the reader of its output was closed.",
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
