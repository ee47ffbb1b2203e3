"""What the window loads ahead of the first question, and how it takes turns with its threads."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.processes

SCRIPT = """
import gc, sys
from desktop_rag.gui.window.preload import preload_agent
before = gc.get_freeze_count()
preload_agent(endpoint={endpoint})
assert gc.isenabled()
assert gc.get_freeze_count() > before + 10_000
assert "desktop_rag.agent.run.loop" in sys.modules
assert "markdown_it" in sys.modules
assert "rapidfuzz.distance.Indel" in sys.modules
print("openai" in sys.modules)
"""


@pytest.mark.parametrize("endpoint", [False, True])
def test_the_agent_is_loaded_ahead_and_an_endpoints_library_only_if_there_is_one(*, endpoint: bool) -> None:
    script = SCRIPT.format(endpoint=endpoint)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(endpoint)


def test_the_window_starts_without_what_only_a_question_a_dialog_or_a_verb_needs() -> None:
    script = "import sys, desktop_rag.cli.program, desktop_rag.app; print(*sys.modules, sep='\\n')"
    loaded = set(
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    )
    assert "desktop_rag.gui.window.main_window" in loaded
    heavy = {
        "shtab",
        "xlsxwriter",
        "rich",
        "numpy",
        "openai",
        "pymupdf",
        "pygments",
        "keyring",
        "markdown_it",
        "onnxruntime",
    }
    own = {"agent.extractive.extractive_model", "agent.run.replay", "agent.run.loop", "agent.toolkits.registry"}
    own |= {"gui.viewer.tabs.document_tab", "index.catalog.catalog_reader"}
    own |= {"agent.citations.calculations", "llm.openai_chat", "gui.settings.settings_dialog", "index.engine"}
    assert loaded & (heavy | {f"desktop_rag.{name}" for name in own}) == set()


def test_the_palette_names_the_pages_of_the_settings_without_loading_them() -> None:
    script = """
import sys
from PySide6.QtCore import QObject
from desktop_rag.gui.settings.settings_control import SettingsControl
class Control(QObject):
    open_dialog = print
print(len(tuple(SettingsControl.palette_entries(Control()))), "desktop_rag.gui.settings.settings_dialog" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["16", "False"]
