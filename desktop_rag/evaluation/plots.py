"""Small drawings as SVG, in colours that follow a light or a dark page."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH = 720
_NAMES = 200  # the column of names beside bars
_ROW = 26
_HEIGHT = 160

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
.good { fill: var(--good); } .bad { fill: var(--bad); } .rule { stroke: var(--faint); } .whisker { stroke: var(--ink); }
"""


@dataclass(frozen=True, slots=True)
class Bar:
    """A value from 0 to 1 with its interval."""

    name: str
    value: float
    low: float
    high: float


def bars(values: Sequence[Bar]) -> str:
    """Return a row for each value, its interval as a whisker."""
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
    """Return a thin column for each question, sorted: up where it gained, down where it lost."""
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


def _svg(height: float, body: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" '
        f'height="{height:.0f}" role="img">{body}</svg>'
    )
