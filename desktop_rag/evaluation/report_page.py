"""Renders reports of paragraphs, tables and plots, as one self-contained HTML file or as Markdown."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from desktop_rag.evaluation import plots

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
class ReportSection:
    """A titled part of the report."""

    title: str
    parts: tuple[str | ReportTable | Plot, ...]


def html(title: str, sections: Iterable[ReportSection]) -> str:
    """Return the report as HTML with inline plots."""
    body = "\n".join(map(_html_section, sections))
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f"<style>{plots.STYLE}</style></head>\n<body><h1>{escape(title)}</h1>\n{body}\n</body></html>\n"
    )


def markdown(title: str, sections: Iterable[ReportSection]) -> str:
    """Return the report as Markdown, with captions instead of plots."""
    lines = [f"# {title}", ""]
    for section in sections:
        lines += [f"## {section.title}", ""]
        for part in section.parts:
            lines += [*_markdown_lines(part), ""]
    return "\n".join(lines).rstrip() + "\n"


def _html_section(section: ReportSection) -> str:
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
