"""Reads lines such as “Offer of Meyer: 45,500 euros, from June” that stand below each other as a table."""

import re
from collections.abc import Iterator
from itertools import groupby

from desktop_rag.agent.extractive.content_words import stems
from desktop_rag.text.figures import Figure, read_figures
from desktop_rag.text.units import CURRENCIES

MIN_ROWS = 2
_LABELLED = re.compile(r"\W*(?P<label>[^\W\d_][^:|\t.!?]{1,60}?)\s*:\s+(?P<rest>\S.*)")
_BULLET = "-*+•– "


def labelled_run(lines: dict[int, str]) -> Iterator[dict[int, tuple[str, str]]]:
    """Yield runs of adjacent lines that each begin with a label and one amount of money: line → label, amount.

    What all labels of a run have in common is left out of them.
    """
    found = {number: row for number, line in lines.items() if (row := _row(line))}
    for _, group in groupby(enumerate(sorted(found)), key=lambda each: each[1] - each[0]):
        numbers = [number for _, number in group]
        labels = [found[number][0].split() for number in numbers]
        common = set(labels[0]).intersection(*labels[1:])
        short = [" ".join(word for word in label if word not in common) for label in labels]
        if len(numbers) >= MIN_ROWS and all(short):
            yield {number: (label, found[number][1]) for number, label in zip(numbers, short, strict=True)}


def _row(line: str) -> tuple[str, str] | None:
    match = _LABELLED.match(line)
    figures: tuple[Figure, ...] = read_figures(match["rest"]).figures if match else ()
    money = [each for each in figures if each.kinds & CURRENCIES]
    if not match or len(money) != 1 or money[0] is not figures[0] or not stems(match["label"]):
        return None
    return match["label"].strip(_BULLET), money[0].text
