"""Renders reports of paragraphs, tables and plots, as one self-contained HTML file or as Markdown."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

# Small SVG plots, in colours that follow the light or dark theme of the page.

WIDTH = 720
_NAMES = 200  # width of the column of labels
_ROW = 26
_HEIGHT = 160
_LEFT = 30
_LINE = 16
_COLOURS = 4

STYLE = """
:root { color-scheme: light dark; --ink: #1c2733; --faint: #8895a3; --good: #1f7a5c; --bad: #b5483a; --page: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #dfe6ee; --faint: #7c8a99; --good: #56c29b; --bad: #e5806f; --page: #14191f; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 60rem;
  margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; } th, td { padding: .2rem .8rem; text-align: right; }
th:first-child, td:first-child { text-align: left; padding-left: 0; } thead { border-bottom: 1px solid var(--faint); }
td { font-variant-numeric: tabular-nums; } figure { margin: 1rem 0; } figcaption { color: var(--faint); }
svg { max-width: 100%; height: auto; } svg text { font: 13px system-ui, sans-serif; fill: var(--ink); }
.curve { fill: none; stroke-width: 2; } .line0 { stroke: var(--good); } .line1 { stroke: var(--bad); }
.line2 { stroke: var(--ink); } .line3 { stroke: var(--faint); } .dashed { stroke-dasharray: 6 4; }
.good { fill: var(--good); } .bad { fill: var(--bad); } .rule { stroke: var(--faint); } .whisker { stroke: var(--ink); }
"""


@dataclass(frozen=True, slots=True)
class PlotBar:
    """A value from 0 to 1 with its confidence interval."""

    name: str
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve of values from 0 to 1 over ascending x."""

    name: str
    points: Sequence[tuple[float, float]]


def bars(values: Sequence[PlotBar]) -> str:
    """Return a horizontal bar for each value, its interval as a whisker."""
    span = WIDTH - _NAMES - 60
    rows = []
    for number, bar in enumerate(values):
        top = number * _ROW
        end, middle = _NAMES + bar.value * span, top + _ROW / 2
        low, high = _NAMES + bar.low * span, _NAMES + bar.high * span
        rows.append(
            f'<text x="{_NAMES - 8}" y="{middle + 4:.1f}" text-anchor="end">{escape(bar.name)}</text>'
            f'<rect class="good" x="{_NAMES}" y="{top + 5}" width="{end - _NAMES:.1f}" height="{_ROW - 10}"/>'
            f'<line class="whisker" x1="{low:.1f}" x2="{high:.1f}" y1="{middle:.1f}" y2="{middle:.1f}"/>'
            f'<text x="{high + 8:.1f}" y="{middle + 4:.1f}">{bar.value:.3f}</text>'
        )
    return _svg(len(values) * _ROW, "".join(rows))


def deltas(changes: Sequence[float]) -> str:
    """Return a thin column for each change, sorted: upwards for a gain, downwards for a loss."""
    middle, step = _HEIGHT / 2, WIDTH / max(1, len(changes))
    columns = []
    for number, change in enumerate(sorted(changes)):
        if change:
            height = abs(change) * (middle - 4)
            top = middle - height if change > 0 else middle
            kind = "good" if change > 0 else "bad"
            columns.append(
                f'<rect class="{kind}" x="{number * step:.2f}" y="{top:.1f}" '
                f'width="{max(step, 0.6):.2f}" height="{height:.1f}"/>'
            )
    rule = f'<line class="rule" x1="0" x2="{WIDTH}" y1="{middle}" y2="{middle}"/>'
    return _svg(_HEIGHT, rule + "".join(columns))


def curves(lines: Sequence[Curve], axis: str) -> str:
    """Return the curves over `axis`, each labelled at its end."""
    most = max((x for line in lines for x, _ in line.points), default=0.0) or 1.0
    span, ground = WIDTH - _NAMES - _LEFT, _HEIGHT + 60
    drawn = [
        f'<line class="rule" x1="{_LEFT}" x2="{_LEFT + span}" y1="{ground}" y2="{ground}"/>',
        f'<text x="{_LEFT}" y="{ground + 18}">0</text>',
        f'<text x="{_LEFT + span}" y="{ground + 18}" text-anchor="end">{most:,.0f} {escape(axis)}</text>',
        f'<text x="{_LEFT - 6}" y="14" text-anchor="end">1</text>',
    ]
    ends: list[float] = []
    for number, line in enumerate(lines):
        at = [(_LEFT + x / most * span, ground - y * (ground - 10)) for x, y in line.points]
        place = max(at[-1][1] if at else ground, 12.0)
        while any(abs(place - other) < _LINE for other in ends):  # labels must not overlap
            place += _LINE
        ends.append(place)
        dashed = " dashed" if number >= _COLOURS else ""
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
        drawn.append(f'<polyline class="curve line{number % _COLOURS}{dashed}" points="{path}"/>')
        drawn += [f'<circle class="line{number % _COLOURS}" cx="{x:.1f}" cy="{y:.1f}" r="2"/>' for x, y in at[-1:]]
        drawn.append(f'<text x="{_LEFT + span + 8}" y="{place + 4:.1f}">{escape(line.name)}</text>')
    return _svg(max(ground + 24, max(ends, default=0) + 12), "".join(drawn))


def _svg(height: float, body: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" '
        f'height="{height:.0f}" role="img">{body}</svg>'
    )


Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table; all columns but the first hold numbers."""

    head: Row
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """An SVG plot with its caption; Markdown shows the caption alone."""

    svg: str
    caption: str


@dataclass(frozen=True, slots=True)
class PageSection:
    """A titled part of the report."""

    title: str
    parts: tuple[str | ReportTable | Plot, ...]


def html(title: str, sections: Iterable[PageSection]) -> str:
    """Return the report as HTML with inline plots."""
    body = "\n".join(map(_html_section, sections))
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f"<style>{STYLE}</style></head>\n<body><h1>{escape(title)}</h1>\n{body}\n</body></html>\n"
    )


def markdown(title: str, sections: Iterable[PageSection]) -> str:
    """Return the report as Markdown, with captions instead of plots."""
    lines = [f"# {title}", ""]
    for section in sections:
        lines += [f"## {section.title}", ""]
        for part in section.parts:
            lines += [*_markdown_lines(part), ""]
    return "\n".join(lines).rstrip() + "\n"


def _html_section(section: PageSection) -> str:
    return f"<h2>{escape(section.title)}</h2>\n" + "\n".join(map(_html_part, section.parts))


def _html_part(part: str | ReportTable | Plot) -> str:
    if isinstance(part, str):
        return f"<p>{escape(part)}</p>"
    if isinstance(part, Plot):
        return f"<figure>{part.svg}<figcaption>{escape(part.caption)}</figcaption></figure>"
    head = "".join(f"<th>{escape(cell)}</th>" for cell in part.head)
    rows = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in part.rows)
    return f"<table><thead><tr>{head}</tr></thead>\n<tbody>{rows}</tbody></table>"


def _markdown_lines(part: str | ReportTable | Plot) -> list[str]:
    if isinstance(part, str):
        return [part]
    if isinstance(part, Plot):
        return [part.caption]
    rule = "|---|" + "---:|" * (len(part.head) - 1)
    return [_markdown_row(part.head), rule, *map(_markdown_row, part.rows)]


def _markdown_row(row: Row) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in row) + " |"
