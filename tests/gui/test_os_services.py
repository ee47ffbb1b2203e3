"""How other programs are told what to open."""

import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop_rag.errors import SettingsError
from desktop_rag.gui.os_services import detected_editor, editor_command, ocr_install_command, open_in_editor

NASTY = Path("/tmp/a b; rm -rf $HOME/`x` 'y'.txt")


def test_the_first_known_editor_is_found() -> None:
    there = {"kate": "/usr/bin/kate", "gedit": "/usr/bin/gedit"}
    assert detected_editor(there.get) == "kate --line {line} {path}"


@pytest.mark.parametrize(
    ("template", "command"),
    [
        ("code -g {path}:{line}", ["code", "-g", f"{NASTY}:7"]),
        ("kate --line {line} {path}", ["kate", "--line", "7", str(NASTY)]),
        ("vi", ["vi", str(NASTY)]),
    ],
)
def test_a_name_stays_one_argument_whatever_is_in_it(template: str, command: list[str]) -> None:
    assert editor_command(template, NASTY, 7) == command


def test_a_program_whose_name_has_spaces_is_quoted() -> None:
    assert editor_command('"/opt/my editor/run" {path}', Path("/a"), 1) == ["/opt/my editor/run", "/a"]


def test_a_braced_name_is_not_filled_in() -> None:
    assert editor_command("ed {path}", Path("/tmp/{line}.txt"), 7) == ["ed", "/tmp/{line}.txt"]


@pytest.mark.parametrize("template", ['code "{path}', " "])
def test_what_is_no_command_is_refused_with_a_sentence(template: str) -> None:
    with pytest.raises(SettingsError, match="editor"):
        editor_command(template, Path("/a"), 1)


def test_an_editor_that_is_not_there_is_named(qapp: object) -> None:
    with pytest.raises(SettingsError, match="no-such-editor-here cannot be started"):
        open_in_editor("no-such-editor-here {path}", Path("/a"), 1)


@pytest.mark.skipif(sys.platform == "win32", reason="writes a shell script")
def test_the_editor_is_started_with_file_and_line(tmp_path: Path, qtbot: QtBot) -> None:
    heard = tmp_path / "heard"
    editor = tmp_path / "editor"
    editor.write_text(f'#!/bin/sh\nprintf "%s|%s" "$1" "$2" > "{heard}.part"; mv "{heard}.part" "{heard}"\n')
    editor.chmod(0o755)
    file = tmp_path / "some file.py"
    open_in_editor(f"{editor} +{{line}} {{path}}", file, 12)
    qtbot.waitUntil(heard.exists, timeout=60_000)
    assert heard.read_text() == f"+12|{file}"


@pytest.mark.parametrize(
    ("manager", "language", "command"),
    [
        ("apt", "de", "sudo apt install tesseract-ocr tesseract-ocr-deu"),
        ("apt", "zh", "sudo apt install tesseract-ocr tesseract-ocr-chi-sim"),
        ("dnf", "zh", "sudo dnf install tesseract tesseract-langpack-chi_sim"),
        ("brew", "en", "brew install tesseract"),
        ("winget", "de", "winget install UB-Mannheim.TesseractOCR"),
        ("", "de", ""),
    ],
)
def test_text_recognition_is_installed_with_the_command_of_this_system(
    manager: str, language: str, command: str
) -> None:
    assert ocr_install_command(language, lambda name: f"/usr/bin/{name}" if name == manager else None) == command
