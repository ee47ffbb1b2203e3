from pathlib import Path

import pytest

from desktop_rag.cli.output import Output
from desktop_rag.cli.search_command import print_hits
from desktop_rag.documents.document import Span
from desktop_rag.index.records import ChunkId, ContentId
from desktop_rag.retrieval.api import Hit, MatchReason, Snippet


def test_code_keeps_its_lines_and_cannot_control_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    span, why = Span(3, 4, 0, 9), MatchReason()
    snippet = Snippet("    if open:\n        close(\x1b[2J)", ((7, 11),), span)
    path = Path("/home/me/a.py")
    hit = Hit(1, ChunkId(1), ContentId(1), "", path, (), "code", "a", 0, 0, None, "", span, 1.0, snippet, why)
    print_hits([hit], Output(as_json=False))
    lines = capsys.readouterr().out.split("\n")
    assert lines[1:3] == ["       if open:", "           close(\ufffd[2J)"]


def test_a_passage_of_a_latex_file_is_printed_without_commands(capsys: pytest.CaptureFixture[str]) -> None:
    snippet, why = (
        Snippet(r"Fans & \textbf{3} \\ \hline Sensors & 12", ((15, 16),), span := Span(3, 3, 0, 9)),
        MatchReason(),
    )
    path = Path("/home/me/a.tex")
    hit = Hit(1, ChunkId(1), ContentId(1), "", path, (), "latex", "a", 0, 0, None, "", span, 1.0, snippet, why)
    print_hits([hit], Output(as_json=False))
    assert capsys.readouterr().out.split("\n")[1] == "   Fans · 3; Sensors · 12"
