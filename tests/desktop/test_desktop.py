"""The whole program on an X server: a folder dragged in, a typed question, a clicked source, every control named."""

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from desktop_rag.gui.desktop.global_hotkey import grab_key
from desktop_rag.stop import Stop
from tests.desktop.desktop import DRAG_SOURCE, DROP_TARGET, Desktop
from tests.desktop.screen_reader import COLLAPSED, EXPANDABLE, EXPANDED, FOCUSABLE, ScreenReader

pytestmark = pytest.mark.slow

WINDOW = "Desktop RAG$"
PASSIVE = ("filler", "panel", "viewport", "layered pane", "splitter", "graphic", "application", "frame", "menu bar")
EMPTY_TOO = ("cell",)  # an empty cell is read as empty


def unnamed(reader: ScreenReader) -> Iterator[str]:
    """Yield the controls that a screen reader could not announce."""
    for element in reader.elements():
        role, focusable = reader.role(element), reader.has_state(element, FOCUSABLE)
        if focusable and role not in PASSIVE + EMPTY_TOO and not reader.name(element).strip():
            yield f"{role} at {reader.middle(element)}"


def test_a_dragged_folder_is_asked_about_and_its_source_opened(desktop: Desktop, sample: Path) -> None:
    reader = desktop.reader
    desktop.start("-m", "desktop_rag")
    reader.find("push button", "Send", 60)
    reader.find("dialog", "Which folders do you want to search?", 60)
    assert not list(unnamed(reader))
    desktop.activate("Welcome to Desktop RAG")
    desktop.input("key", "Escape")
    reader.wait_until_gone("dialog", "Which folders")
    desktop.start(str(DRAG_SOURCE), str(sample), "1200", "650")
    source = desktop.middle_of("label", "drag me")
    desktop.drag(source, (700, 300))
    reader.find("list item", "Boat workshop. 10 files", 90)
    reader.find("label", "Up to date", 60)

    desktop.activate(WINDOW)
    reader.focus(reader.find("text", "Question"))
    desktop.input("type", "--delay", 5, "How much heat is lost through the roof?")
    desktop.input("key", "Return")
    reader.find("list item", "Energy audit 2025.pdf", 60)
    assert not list(unnamed(reader))

    steps = reader.find("push button", "Answered")
    states = EXPANDABLE, EXPANDED, COLLAPSED
    assert [reader.has_state(steps, state) for state in states] == [True, False, True]
    reader.press(steps)
    assert [reader.has_state(steps, state) for state in states] == [True, True, False]
    reader.press(steps)

    desktop.click(*desktop.middle_of("list item", "Energy audit 2025.pdf"))
    reader.find("label", "Energy audit", 60)
    assert not list(unnamed(reader))


def test_every_page_can_be_read_out_and_left_by_keyboard(desktop: Desktop, sample: Path) -> None:
    reader = desktop.reader
    desktop.run("index", str(sample))
    desktop.start("-m", "desktop_rag")
    reader.find("list item", "Boat workshop", 60)
    desktop.activate(WINDOW)
    for keys, role, name in (("ctrl+k", "text", "Search your documents"), ("ctrl+shift+l", "table", "")):
        desktop.input("key", keys)
        reader.find(role, name)
        assert not list(unnamed(reader)), keys
        desktop.input("key", "Escape")
    for keys, title in (("ctrl+shift+p", "Find a command"), ("ctrl+comma", "Settings"), ("F1", "Keyboard")):
        desktop.input("key", keys)
        reader.find("dialog", title)
        assert not list(unnamed(reader)), keys
        desktop.activate(title)
        desktop.input("key", "Escape")
        reader.wait_until_gone("dialog", title)
        desktop.activate(WINDOW)


def test_a_hit_and_a_source_are_dragged_into_another_program(desktop: Desktop, sample: Path, tmp_path: Path) -> None:
    reader, dropped = desktop.reader, tmp_path / "dropped.json"
    desktop.run("index", str(sample))
    desktop.start("-m", "desktop_rag")
    reader.find("list item", "Boat workshop", 60)
    desktop.start(str(DROP_TARGET), str(dropped), "1200", "650")
    desktop.activate(WINDOW)
    reader.focus(reader.find("text", "Question"))
    desktop.input("type", "--delay", 5, "How much heat is lost through the roof?")
    desktop.input("key", "Return")
    target = desktop.middle_of("label", "drop here")
    desktop.drag(desktop.middle_of("list item", "Energy audit 2025.pdf"), target)
    source = read_dropped(dropped)
    assert source["files"] == [str(sample / "Energy audit 2025.pdf")]
    assert source["action"] == "CopyAction"
    assert "Energy audit 2025.pdf" in source["text"]
    assert "heat" in source["text"]
    assert "desktop-rag://open?file=" in source["html"]

    desktop.input("key", "ctrl+k")
    reader.find("text", "Search your documents")
    desktop.input("type", "--delay", 5, "roof")
    hit = desktop.middle_of("list item", "Energy audit 2025.pdf")
    desktop.drag(hit, target)
    found = read_dropped(dropped)
    assert found["files"] == [str(sample / "Energy audit 2025.pdf")]
    assert "roof" in found["text"]
    assert "<blockquote>" in found["html"]


def read_dropped(file: Path) -> dict[str, Any]:
    """Wait for what was dropped on the other program, and take it."""
    end = time.monotonic() + 30
    while not file.exists():
        assert time.monotonic() < end, "nothing was dropped"
        time.sleep(0.1)
    dropped: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    file.unlink()
    return dropped


def test_a_key_of_the_whole_desktop_is_had_once(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", desktop.environment["DISPLAY"])
    first, second = Stop(), Stop()
    grabbed = grab_key("space", 12, first)
    assert next(grabbed), "the key is free"
    assert list(grab_key("space", 12, second)) == [False], "it belongs to the first one"
    desktop.input("key", "ctrl+alt+k", "key", "ctrl+alt+space")
    assert next(grabbed), "it was pressed"
    first.set()
    assert list(grabbed) == []
    again = grab_key("space", 12, second)
    assert next(again), "it is free again"
    again.close()


needs_window_manager = pytest.mark.skipif(shutil.which("openbox") is None, reason="needs openbox")


@needs_window_manager
def test_the_window_takes_input_after_the_palette(desktop: Desktop, sample: Path) -> None:
    desktop.run("index", str(sample))
    desktop.start_program("openbox", "--sm-disable")
    desktop.start("-m", "desktop_rag")
    desktop.reader.find("list item", "Boat workshop", 60)
    for leave in ("Escape", "Return"):
        desktop.activate(WINDOW)
        desktop.input("key", "ctrl+shift+p")
        desktop.reader.find("dialog", "Find a command", 60)
        desktop.input("type", "new conversation")
        desktop.input("key", leave)
        desktop.reader.wait_until_gone("dialog", "Find a command", 60)
        desktop.wait_for_focus(WINDOW)
        desktop.input("type", f"{leave} roof")
        desktop.input("key", "Return")
        desktop.reader.find("list item", f"{leave} roof", 60)


@needs_window_manager
def test_the_frame_of_a_window_manager_stays_on_the_screen(desktop: Desktop) -> None:
    desktop.start_program("openbox", "--sm-disable")
    desktop.start("-m", "desktop_rag")
    desktop.reader.find("push button", "Send", 60)
    window = desktop.input("search", "--sync", "--onlyvisible", "--name", "My library").split()[-1]
    wanted = time.monotonic() + 30
    while time.monotonic() < wanted:
        place = dict(line.split("=") for line in desktop.input("getwindowgeometry", "--shell", window).split("\n"))
        if int(place["HEIGHT"]) < 768 - 10:  # room for the frame; xdotool counts its offset twice
            return
        time.sleep(0.2)
    raise AssertionError(place)
