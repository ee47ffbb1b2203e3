"""Dialogs about a library with everything in them that a user may see."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import psutil
from PySide6.QtWidgets import QDialog, QWidget

from desktop_rag.agent.gate.sent_ledger import SentRow
from desktop_rag.gui.command_parts import Commands
from desktop_rag.gui.conversation.composer.attachment_control import AttachFolderDialog
from desktop_rag.gui.first_run.first_run_control import FirstRunDialog
from desktop_rag.gui.library.folder_rules_dialog import FolderRulesDialog
from desktop_rag.gui.privacy.host_dialog import HostDialog
from desktop_rag.gui.privacy.sent_dialog import SentDialog
from desktop_rag.gui.settings.encoder_page import FetchDialog
from desktop_rag.gui.settings.endpoint.connect_cards import ModelField
from desktop_rag.gui.settings.endpoint.examination_dialog import ExaminationDialog, LearnedDialog
from desktop_rag.gui.settings.endpoint.model_files_dialog import ModelFilesDialog
from desktop_rag.gui.settings.programs_page import ProgramChangeDialog, ProgramState
from desktop_rag.gui.settings.settings_dialog import SettingsDialog
from desktop_rag.gui.widgets.bounded_dialog import BrowserDialog
from desktop_rag.gui.window.instance_server import HungWindowDialog, WindowState
from desktop_rag.index.encoding.installed_encoders import known_encoder
from desktop_rag.index.folders.folder_survey import FolderSurvey
from desktop_rag.index.folders.rules import FolderRule
from desktop_rag.index.indexer_api import LineEffect, RulePreview
from desktop_rag.index.records import FolderRules
from desktop_rag.llm.doctor import Finding, Rating
from desktop_rag.llm.endpoint_traits import EndpointMemory, EndpointTraits
from desktop_rag.llm.listed_models import ListedModel
from desktop_rag.llm.local_model.server_child import ListedModelFile
from desktop_rag.mcp_server.client_entries import PlannedChange, set_member
from desktop_rag.settings import Api, Profile, Settings
from tests.gui.library_values import folder


def first_run_dialog(window: QWidget) -> QDialog:
    """Return the dialog of the first start with a counted folder."""
    dialog = FirstRunDialog((b"/home/anna/Documents", b"/home/anna/" + b"a long name of a folder " * 4), window)
    left = {FolderRule.SYSTEM: 1_200, FolderRule.HIDDEN: 34, FolderRule.UNREADABLE_TYPE: 6_000}
    survey = FolderSurvey(12_345, 3_000_000_000, 200_000_000, left, complete=True)
    dialog.folders.show_survey(b"/home/anna/Documents", survey)
    return dialog


def examination_dialog(window: QWidget) -> QDialog:
    """Return the dialog of an examined endpoint."""
    dialog = ExaminationDialog(Profile("Workstation", "http://192.168.1.20:11434/v1", "qwen3:8b"), window)
    dialog.add_finding(Finding("Connection", Rating.GOOD, "qwen3:8b answered after 1.5 seconds. This is Ollama."))
    cut = "Of a prompt of about 5,100 tokens only 2,048 arrived: the beginning is cut off silently."
    dialog.add_finding(Finding("Long prompts", Rating.BAD, cut, "Start the server with: OLLAMA_CONTEXT_LENGTH=16384"))
    return dialog


LEARNED = EndpointTraits(
    calls_tools=True,
    parallel_calls=True,
    dropped_fields=("stream_options", "temperature"),
    length_field="max_completion_tokens",
    max_output=4_096,
    token_ratio=1.12,
    wants_responses=True,
    effort="low",
    echo_reasoning=False,
    demand_reasoning=True,
    reasoning_field="reasoning_content",
    system_role=False,
    user_after_tool=False,
    alternates=True,
    tools_with_results=True,
    named_results=True,
    null_content=False,
    reports_usage=False,
    context_window=8_192,
    stop_reasons=("stop", "tool_calls"),
)


def learned_dialog(window: QWidget) -> QDialog:
    """Return the dialog of an endpoint about which everything was learned."""
    profile = Profile("Workstation", "http://192.168.1.20:11434/v1", "qwen3:8b", reasoning_effort="none")
    dialog = LearnedDialog(profile, EndpointMemory(Path("unused")), window)
    dialog.show_traits(LEARNED)
    return dialog


def settings_dialog(window: QWidget, commands: Commands) -> QDialog:
    """Return the settings with an endpoint whose models are listed, after a search for servers."""
    profile = Profile("OpenRouter", "https://openrouter.ai/api/v1", "qwen/qwen3-235b-a22b", api=Api.RESPONSES)
    folders = (folder(1), folder(2, b"/b"))
    dialog = SettingsDialog(Settings(profiles=(profile,)), folders, window, commands)
    dialog.findChildren(ModelField)[0].offer([ListedModel(profile.model, 131_072, 0.25, 1.5)])
    dialog.profiles.end_search()
    cursor = ProgramState("cursor", "Cursor", is_installed=True, is_added=True)
    zed = ProgramState("zed", "Zed", is_installed=False, is_added=False)
    dialog.programs.show_programs((cursor, zed), f"/opt/desktop-rag mcp --library /home/anna/{'a long name/' * 9}")
    return dialog


def program_change_dialog(window: QWidget) -> QDialog:
    """Return the question before a program's settings are changed."""
    file = Path("/home/anna") / ("a long name of a folder " * 5) / "mcp.json"
    before = '{\n  "a": 1\n}\n'
    after = set_member(before, ("servers", "desktop-rag"), {"command": "/opt/" + "long name " * 20, "args": ["mcp"]})
    return ProgramChangeDialog(PlannedChange("Visual Studio Code", file, before, after), window, adds=True)


def sent_dialog(window: QWidget) -> QDialog:
    """Return the record of what was sent, with a long path."""
    dialog = SentDialog(window)
    path = f"/home/anna/{'a long name/' * 9}lease.md"
    rows = (path, "Lease", 3, 12), ("", "", 0, 0)
    dialog.show_rows(
        [SentRow("2026-11-23T10:00:00Z", "r", "api.example.com", "m", "Due?", 900, 1, *row) for row in rows]
    )
    return dialog


def model_files_dialog(window: QWidget) -> QDialog:
    """Return the list of model files, one of which cannot run."""
    dialog = ModelFilesDialog(window)
    size = 2_000_000_000
    dialog.add_file(ListedModelFile(Path("/m/a.gguf"), "LM Studio", "Qwen3", "Q4_K_M", size, 32_768, 8_192, size))
    dialog.add_file(
        ListedModelFile(Path("/m/b.gguf"), "Ollama", "A long name of a model " * 3, problem="It is cut off.")
    )
    return dialog


def folder_rules_dialog(window: QWidget) -> QDialog:
    """Return the dialog of rules with the effects of its patterns."""
    used = FolderRules(("*.log", "[z-a]", "!a name that is rather long for a pattern in the rules.pdf"))
    dialog = FolderRulesDialog(replace(folder(2, b"/media/" + b"long name " * 20), rules=used), window)
    lost = ((b"drafts/" + b"long name " * 9 + b"x.log", "Line 1"),)
    effects = (LineEffect(12_345), LineEffect(trouble="The bracket is not valid."), LineEffect(included=1))
    found = RulePreview(20_000, 7_655, effects, 12_346, lost, 1, (b"a.pdf",), capped=True, suffixes=(("pdf", 9),))
    dialog.show_preview(used, found)
    return dialog


def library_dialogs(window: QWidget) -> dict[type[QDialog], Callable[[], QDialog]]:
    """Return how to make each of the dialogs above."""
    makers: dict[type[QDialog], Callable[[QWidget], QDialog]] = {
        FirstRunDialog: first_run_dialog,
        FolderRulesDialog: folder_rules_dialog,
        ExaminationDialog: examination_dialog,
        LearnedDialog: learned_dialog,
        ProgramChangeDialog: program_change_dialog,
        SentDialog: sent_dialog,
        ModelFilesDialog: model_files_dialog,
        FetchDialog: partial(FetchDialog, known_encoder("multilingual-e5-small")),
        HostDialog: partial(HostDialog, "api.example.com"),
        BrowserDialog: partial(BrowserDialog, f"https://example.org/{'a-long-part/' * 30}?key=value"),
        AttachFolderDialog: partial(AttachFolderDialog, b"/home/anna/a folder with a rather long name"),
        HungWindowDialog: partial(HungWindowDialog, lambda: WindowState.SILENT, psutil.Process()),
    }
    return {kind: partial(make, window) for kind, make in makers.items()}
