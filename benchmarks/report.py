"""The result of a benchmark: rows of measurements, their ratios to ours, as text, Markdown and JSON.

A row belongs to a `what` (the task and its size) and a `subject` (the tool measured). The other subjects of the same
`what` are compared with the row of subject `OURS`, so name a task alike for all of them. Values are those of every
round, in `unit`; a single number, such as a percentile or a size, is a row with one value.
"""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from desktop_rag.evaluation.machine import Machine

OURS = "ours"
FEW = 8  # fewer values than this are spread from minimum to maximum, more by quartiles

Json = None | bool | int | float | str | Sequence["Json"] | dict[str, "Json"]


@dataclass(frozen=True, slots=True)
class Measurement:
    """One task done by one subject.

    `goal` is for ours the highest median allowed, in `unit`; for another subject the lowest ratio, that is how many
    times better we want to be (0.8 allows us to be 1.25 times worse).
    """

    what: str
    subject: str
    unit: str
    values: tuple[float, ...]
    better: Literal["less", "more"] = "less"
    goal: float | None = None

    @property
    def median(self) -> float:
        """The middle value."""
        return statistics.median(self.values)

    @property
    def spread(self) -> tuple[float, float]:
        """The minimum and maximum, or of many values the first and third quartile."""
        if len(self.values) < FEW:
            return min(self.values), max(self.values)
        first, _, third = statistics.quantiles(self.values, n=4, method="inclusive")
        return first, third

    def at(self, percent: float) -> float:
        """Return the value that `percent` of the values do not exceed (nearest rank)."""
        ordered = sorted(self.values)
        return ordered[max(0, min(len(ordered) - 1, -int(-percent * len(ordered) // 100) - 1))]


@dataclass(frozen=True, slots=True)
class Report:
    """The result of one benchmark; `notes` say what was left out and where the texts come from."""

    title: str
    rows: tuple[Measurement, ...]
    notes: tuple[str, ...]
    machine: Machine

    def ratio(self, row: Measurement) -> float | None:
        """Return how many times better ours is than the subject of `row`; None if there is nothing to compare."""
        ours = next((r for r in self.rows if r.what == row.what and r.subject == OURS), None)
        if ours is None or row.subject == OURS:
            return None
        better, worse = (row.median, ours.median) if row.better == "less" else (ours.median, row.median)
        return better / worse if worse else None

    def reached(self, row: Measurement) -> bool | None:
        """Return whether the goal of `row` is reached; None if it has none."""
        if row.goal is None:
            return None
        if row.subject != OURS:
            ratio = self.ratio(row)
            return ratio is not None and ratio >= row.goal
        return row.median <= row.goal if row.better == "less" else row.median >= row.goal

    @property
    def missed(self) -> tuple[Measurement, ...]:
        """The rows that miss their goal."""
        return tuple(row for row in self.rows if self.reached(row) is False)

    def text(self) -> str:
        """Return the report as plain text for a terminal."""
        table = self._cells()
        widths = [max(len(row[column]) for row in table) for column in range(len(_HEADINGS))]
        lines = [self.title, "=" * len(self.title), ""]
        for number, row in enumerate(table):
            lines.append("  ".join(_padded(cell, width, column) for column, (cell, width) in _columns(row, widths)))
            if number == 0:
                lines.append("  ".join("-" * width for width in widths))
        return "\n".join([*(line.rstrip() for line in lines), "", *self.notes, self.machine.describe()])

    def markdown(self) -> str:
        """Return the report as a Markdown section."""
        head, *body = self._cells()
        lines = [f"## {self.title}", "", _markdown_row(head), "|---|---|---:|---:|---:|---|"]
        lines += [_markdown_row(row) for row in body]
        return "\n".join([*lines, "", *(f"- {note}" for note in (*self.notes, self.machine.describe())), ""])

    def json(self) -> dict[str, Json]:
        """Return the report as JSON values."""
        return {
            "type": "report",
            "title": self.title,
            "machine": {**self.machine.json()},
            "rows": self.json_rows(),
            "notes": list(self.notes),
        }

    def json_rows(self) -> list[dict[str, Json]]:
        """Return the rows with their ratios as JSON values."""
        return [self._row_json(row) for row in self.rows]

    def _row_json(self, row: Measurement) -> dict[str, Json]:
        return {
            "what": row.what,
            "subject": row.subject,
            "unit": row.unit,
            "better": row.better,
            "n": len(row.values),
            "median": row.median,
            "min": min(row.values),
            "max": max(row.values),
            "p95": row.at(95),
            "ratio": self.ratio(row),
            "goal": row.goal,
            "reached": self.reached(row),
        }

    def _cells(self) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = [_HEADINGS]
        before = ""
        for row in self.rows:
            rows.append(
                (
                    row.what if row.what != before else "",
                    row.subject,
                    f"{figure(row.median)} {row.unit}",
                    "–".join(figure(value) for value in row.spread) if len(row.values) > 1 else "",
                    _times(self.ratio(row)),
                    self._goal(row),
                )
            )
            before = row.what
        return rows

    def _goal(self, row: Measurement) -> str:
        if row.goal is None:
            return ""
        mark = "✓" if self.reached(row) else "✗"
        if row.subject != OURS:
            return f"{mark} ≥ {figure(row.goal)}×"
        return f"{mark} {'≤' if row.better == 'less' else '≥'} {figure(row.goal)} {row.unit}"


_HEADINGS = ("what", "subject", "median", "spread", "ours is better", "goal")
_RIGHT = (2, 3, 4)


def figure(value: float) -> str:
    """Format a number with three significant figures, without needless zeros."""
    size = abs(value)
    if size >= 100:
        return f"{value:,.0f}"
    return f"{value:.{1 if size >= 10 else 2 if size >= 1 else 3}f}" if value else "0"


def _times(ratio: float | None) -> str:
    return "" if ratio is None else f"{figure(ratio)}×"


def _columns(row: tuple[str, ...], widths: list[int]) -> list[tuple[int, tuple[str, int]]]:
    return list(enumerate(zip(row, widths, strict=True)))


def _padded(cell: str, width: int, column: int) -> str:
    return cell.rjust(width) if column in _RIGHT else cell.ljust(width)


def _markdown_row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
