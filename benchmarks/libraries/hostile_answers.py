"""Answers made to cost time: one entry per kind of mark-up, as long as asked for."""

from collections.abc import Callable, Mapping


def _repeated(piece: Callable[[int], str]) -> Callable[[int], str]:
    def made(size: int) -> str:
        parts, length = list[str](), 0
        while length < size:
            parts.append(piece(len(parts)))
            length += len(parts[-1])
        return "".join(parts)

    return made


def _table(columns: int, row: Callable[[int], str]) -> Callable[[int], str]:
    head = "|" + "".join(f"c{n}|" for n in range(columns)) + "\n|" + "-|" * columns + "\n"
    return lambda size: head + _repeated(row)(size - len(head))


def _row(columns: int) -> Callable[[int], str]:
    return lambda n: "|" + "".join(f"{n}.{column}|" for column in range(columns)) + "\n"


HOSTILE: Mapping[str, Callable[[int], str]] = {
    "300 columns": _table(300, _row(300)),
    "60 columns": _table(60, _row(60)),
    "16 columns": _table(16, _row(16)),
    "rows without cells": lambda size: _table(16, lambda _: "|a|\n")(size // 4),
    "10,000 rows": _table(2, lambda n: f"|{n}|x|\n"),
    "rows with marks": _table(3, lambda n: f"| *{n}* | `{n}` | **May** [1](cite:1) |\n"),
    "a row without end": _table(3, lambda _: "|x y z"),
    "5,000 links": _repeated(lambda n: f"[w{n}](http://a.example/{n}) "),
    "citations": _repeated(lambda n: f"w{n} [{n % 9 + 1}](cite:{n % 9 + 1}). "),
    "deep lists": _repeated(lambda n: "  " * (n % 38) + f"- w{n}\n"),
    "nested list": lambda size: "- top\n" + _repeated(lambda n: f"  - w{n}\n    - x{n}\n")(size),
    "lists in a line": _repeated(lambda _: "- " * 60 + "x\n"),
    "deep quotes": _repeated(lambda n: ">" * (n % 60 + 1) + f" w{n}\n"),
    "one quote": _repeated(lambda n: f"> word{n} and **more** of it\n>\n"),
    "brackets": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "open brackets": _repeated(lambda n: f"[word{n}( "),
    "open links": _repeated(lambda _: "[a]("),
    "emphasis": _repeated(lambda n: f"*word{n} **more "),
    "short emphasis": _repeated(lambda n: f"*w{n}* **m** `c` ~~s~~ "),
    "stars": _repeated(lambda _: "*a_"),
    "open sentences": lambda size: "*" + _repeated(lambda _: "a. ")(size),
    "a long word": _repeated(lambda _: "x"),
    "formulas": _repeated(lambda n: f"$word_{{{n}}}$ "),
    "dollars": _repeated(lambda _: "$a "),
    "display formulas": _repeated(lambda n: f"$$x_{{{n}}}$$\n\n"),
    "50,000 lines of code": lambda size: "```\n" + _repeated(lambda _: "x\n")(size) + "```\n",
    "python": lambda size: "```python\n" + _repeated(lambda n: f"x{n} = f('{n}') + {n}\n")(size) + "```\n\nDone.\n",
    "blocks of code": _repeated(lambda n: f"```python\na = {n}\n```\n"),
    "backticks": _repeated(lambda n: "`" * (n % 50 + 1) + "a "),
    "right to left": _repeated(lambda _: "שלום עולם مرحبا بالعالم "),
    "emoji": _repeated(lambda _: "👩‍👩‍👧‍👦🇩🇪👍🏽 "),
    "paragraphs": _repeated(lambda n: f"word{n} and more\n\n"),
    "one paragraph": _repeated(lambda n: f"word{n} and more "),
    "points": _repeated(lambda n: f"- word{n} **bold**\n"),
    "numbers": _repeated(lambda n: f"{n + 1}. word\n"),
    "headings": _repeated(lambda n: f"# word{n}\n\n"),
    "rules": _repeated(lambda _: "---\n\n"),
    "lines": _repeated(lambda _: "a  \n"),
    "nothing but lines": _repeated(lambda _: "\n"),
    "definitions": _repeated(lambda n: f"[a{n}]: /b{n}\n"),
    "marks of direction": _repeated(lambda _: "\u200f\u202e\u0301a"),
}
