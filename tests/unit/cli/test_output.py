"""Printed text is safe for a terminal, and every name can be printed."""

import io
import json
import time

import pytest

from desktop_rag.cli.output import Output, shown_path
from desktop_rag.text.display import one_line, printable, terminal_safe


def test_invalid_bytes_are_shown_as_hex() -> None:
    assert printable(b"caf\xe9.txt") == "caf\\xe9.txt"
    assert printable("caf\udce9.txt") == "caf\\xe9.txt"
    assert printable("café.txt") == "café.txt"
    printable("half \ud800 a pair").encode()


def test_control_characters_are_replaced_one_for_one() -> None:
    text = "red \x1b[31m bell \x07 back \u202e line\nand\ttab \x9b"
    assert terminal_safe(text) == "red \ufffd[31m bell \ufffd back \ufffd line\nand\ttab \ufffd"
    assert len(one_line(text)) == len(text)
    assert "\n" not in one_line(text)


def test_printed_text_is_neither_markup_nor_emoji(capsys: pytest.CaptureFixture[str]) -> None:
    Output(as_json=False).line("[bold]:key:[/bold]")
    assert capsys.readouterr().out == "[bold]:key:[/bold]\n"


def test_progress_is_one_line_of_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    output = Output(as_json=False)
    output.progress("1 of 9 \x1b[31m asked")
    output.progress("2 of 9 asked")
    output.note("done")
    rewritten = "\r\x1b[2K"
    begun = f"{rewritten}1 of 9 \ufffd[31m asked{rewritten}2 of 9 asked{rewritten}"
    assert capsys.readouterr().err.startswith(begun)


def test_progress_is_told_now_and_then_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    output = Output(as_json=False)
    for done in range(12):
        output.progress(f"{done} of 12")
        now[0] += 1
    assert capsys.readouterr().err == "0 of 12\n6 of 12\n"


def test_json_output_is_one_object_per_line_without_notes(capsys: pytest.CaptureFixture[str]) -> None:
    output = Output(as_json=True)
    output.value({"path": "caf\udce9", "text": "ä"})
    output.note("nobody hears this")
    output.error("A title", "A sentence.", position=3)
    out, err = capsys.readouterr()
    first, second = (json.loads(line) for line in out.splitlines())
    assert first["text"] == "ä"
    assert second == {"type": "error", "error": "A title", "message": "A sentence.", "position": 3}
    assert err == ""


def test_styles_are_for_terminals_and_for_those_who_ask(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    Output(as_json=False).text(("lease", "bold"), (" 3", ""))
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    Output(as_json=False).text(("lease", "bold"), (" 3", ""))
    plain, styled, _ = capsys.readouterr().out.split("\n")
    assert (plain, styled) == ("lease 3", "\x1b[1mlease\x1b[0m 3")


def test_errors_are_printed_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    Output(as_json=False).error("A title", "A sentence.", position=3)
    assert capsys.readouterr() == ("", "A title\nA sentence.\n")


def test_unencodable_characters_become_question_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, "ascii", write_through=True))
    Output(as_json=False).line("naïve → cité")
    assert raw.getvalue() == b"na?ve ? cit?\n"


def test_a_very_long_path_is_shortened_in_the_middle() -> None:
    assert shown_path("/notes/a.txt") == "/notes/a.txt"
    shown = shown_path("/notes/" + "deep/" * 1_000 + "last.txt")
    assert shown.startswith("/notes/deep/")
    assert shown.endswith("deep/last.txt")
    assert len(shown) <= 301
