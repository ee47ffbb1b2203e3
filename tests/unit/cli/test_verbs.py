"""Every verb has a function, which gets what it asks for."""

import argparse
import importlib
import inspect

import pytest

from desktop_rag.cli.program import _RUNS
from desktop_rag.cli.verb_parsers import VERBS, verb_parser

_VERBS = next(each for each in verb_parser()._actions if isinstance(each, argparse._SubParsersAction))


def test_each_verb_of_the_help_runs() -> None:
    assert _RUNS.keys() == VERBS.keys() == set(_VERBS.choices)


@pytest.mark.parametrize("verb", VERBS)
def test_the_parameters_of_a_verb_are_its_options(verb: str) -> None:
    module, name = _RUNS[verb]
    function = getattr(importlib.import_module(f"desktop_rag.{module}"), name)
    given = {action.dest for action in _VERBS.choices[verb]._actions} | {"options", "output", "stop"}
    if "library" in given or verb == "serve-index":
        given |= {"library", "known"}
    assert set(inspect.signature(function).parameters) <= given


def test_the_help_of_search_tells_what_quotation_marks_do() -> None:
    told = " ".join(_VERBS.choices["search"].format_help().split())
    assert "hits have “quoted words” in a row; in a question these only rank higher" in told
