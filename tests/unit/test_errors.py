"""The class tree in the module docstring is complete, and every error can be shown."""

import re
from collections.abc import Iterator

import pytest

from desktop_rag import errors
from desktop_rag.errors import DesktopRagError


def real(kind: type[DesktopRagError], depth: int = 0) -> Iterator[tuple[int, str]]:
    yield depth, kind.__name__
    for below in kind.__subclasses__():
        if below.__module__ == errors.__name__:
            yield from real(below, depth + 1)


def drawn() -> Iterator[tuple[int, str]]:
    for line in (errors.__doc__ or "").splitlines():
        if found := re.match(r"((?:[│ ] {3})*)(?:[├└]── )([A-Za-z]+)", line):
            yield len(found[1]) // 4 + 1, found[2]
        elif line == DesktopRagError.__name__:
            yield 0, line


def test_the_class_tree_in_the_docstring_is_complete() -> None:
    assert list(drawn()) == list(real(DesktopRagError))


@pytest.mark.parametrize("name", [name for _, name in real(DesktopRagError)])
def test_every_error_has_a_headline_and_a_sentence(name: str) -> None:
    kind = getattr(errors, name)
    assert kind.title
    assert kind.__doc__
    if kind is not errors.Stopped:
        assert str(kind("It did not work.")) == "It did not work."
