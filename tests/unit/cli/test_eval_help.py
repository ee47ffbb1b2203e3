import argparse

from desktop_rag.cli import eval_command
from desktop_rag.cli.verb_parsers import verb_parser


def _subcommands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the subcommands of a parser that has some."""
    (found,) = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    return dict(found.choices)


def test_the_help_of_eval_lists_every_subcommand() -> None:
    (listed,) = [each.metavar for each in _subcommands(verb_parser())["eval"]._actions if each.dest == "arguments"]
    assert isinstance(listed, str)
    assert listed.removesuffix(" …").split("|") == list(_subcommands(eval_command._parser()))


def test_every_option_of_eval_and_encoder_has_a_help_text() -> None:
    parsers = {**_subcommands(eval_command._parser()), "encoder": _subcommands(verb_parser())["encoder"]}
    assert [(name, each.dest) for name, parser in parsers.items() for each in parser._actions if not each.help] == []
