"""Translates Boolean questions of old collections, `#and ('a', #or ('b', 'c'), #not ('d'))`, to the query language."""

import re
from dataclasses import replace

from desktop_rag.errors import BenchError
from desktop_rag.evaluation.datasets import Collection

_TOKEN = re.compile(r"\s*(?:#(?P<operator>and|or|not)\b|(?P<sign>[(),])|'(?P<quoted>[^']*)'|(?P<bare>[^\s(),#']+))")


def boolean_questions(collection: Collection) -> Collection:
    """Return the collection with only the questions that have a Boolean form, in that form."""
    asked = tuple(replace(one, text=as_query(one.boolean)) for one in collection.questions if one.boolean)
    if not asked:
        raise BenchError(f"No question of {collection.name} has a Boolean form (`boolean` in queries.jsonl).")
    judged = {question.id: collection.judged[question.id] for question in asked}
    return replace(collection, name=f"{collection.name}-boolean", questions=asked, judged=judged)


def as_query(text: str) -> str:
    """Return the query; raises `BenchError` with the position of a syntax error."""
    reader = _Reader(text)
    query = reader.term()
    reader.expect_end()
    return query


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def term(self) -> str:
        """Read a word, or an operator with its parts."""
        found = self._take()
        operator = found["operator"]
        if operator is None:
            word = found["quoted"] if found["quoted"] is not None else found["bare"]
            if word is None:
                raise self._syntax_error()
            return f'"{word}"' if " " in word.strip() else word.strip()
        parts = self._parts()
        if operator == "not":
            return f"NOT ({' OR '.join(parts)})"
        joined = f" {operator.upper()} ".join(parts)
        return f"({joined})" if len(parts) > 1 else joined

    def expect_end(self) -> None:
        """Raise if more text follows."""
        if self._text[self._at :].strip(" \n;."):
            raise self._syntax_error()

    def _parts(self) -> list[str]:
        self._expect("(")
        parts = [self.term()]
        while (sign := self._sign()) == ",":
            parts.append(self.term())
        if sign != ")":
            raise self._syntax_error()
        return parts

    def _take(self) -> dict[str, str | None]:
        match = _TOKEN.match(self._text, self._at)
        if match is None:
            raise self._syntax_error()
        self._at = match.end()
        return match.groupdict()

    def _sign(self) -> str | None:
        return self._take()["sign"]

    def _expect(self, sign: str) -> None:
        if self._sign() != sign:
            raise self._syntax_error()

    def _syntax_error(self) -> BenchError:
        return BenchError(f"A Boolean question cannot be understood at character {self._at}: {self._text}")
