"""The dialog for the rules of a folder shows what they would do, and changes nothing before it is saved."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QTextCursor
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
)
from pytestqt.qtbot import QtBot

from desktop_rag.gui.library.folder_rules_dialog import FolderRulesDialog, PatternEditor
from desktop_rag.gui.library.library_panel import LibraryPanel
from desktop_rag.gui.library_status import ShownStatus
from desktop_rag.index.folders.rules import FolderRule, RuleDecision
from desktop_rag.index.indexer_api import (
    LineEffect,
    RulePreview,
)
from desktop_rag.index.records import FolderId, FolderRules
from tests.gui.library_values import folder, library


def test_rules_are_saved_only_when_changed(qtbot: QtBot) -> None:
    status = folder(7)
    dialog = FolderRulesDialog(status)
    qtbot.addWidget(dialog)
    assert dialog.rules() == FolderRules()
    dialog.findChildren(QPlainTextEdit)[0].setPlainText(" *.log \n\n/drafts/\n")
    next(box for box in dialog.findChildren(QCheckBox) if "hidden" in box.text()).setChecked(True)
    with qtbot.waitSignal(dialog.rules_changed) as changed:
        next(b for b in dialog.findChildren(QPushButton) if "Save" in b.text()).click()
    assert changed.args == [7, FolderRules(("*.log", "/drafts/"), include_hidden=True)]
    unchanged = FolderRulesDialog(replace(status))
    qtbot.addWidget(unchanged)
    with qtbot.assertNotEmitted(unchanged.rules_changed):
        next(b for b in unchanged.findChildren(QPushButton) if "Save" in b.text()).click()


def test_the_rules_as_they_stand_are_tried_on_a_path(qtbot: QtBot) -> None:
    status = folder(7)
    dialog = FolderRulesDialog(status)
    qtbot.addWidget(dialog)
    (tested,) = (line for line in dialog.findChildren(QLineEdit) if "test the rules" in line.accessibleName())
    with qtbot.waitSignal(dialog.path_asked) as asked:
        tested.setText("drafts/plan.md")
    assert asked.args == [status.path, FolderRules(), b"drafts/plan.md"]
    with qtbot.waitSignal(dialog.path_asked) as asked:
        dialog.findChildren(QPlainTextEdit)[0].setPlainText("drafts/")
    assert asked.args == [status.path, FolderRules(("drafts/",)), b"drafts/plan.md"]
    dialog.show_decision(RuleDecision(FolderRule.OWN_LINE, included=False, detail="drafts/", line=1))
    said = "Ignored. Line 1 of this folder's rules, “drafts/”, leaves it out."
    assert tested.accessibleDescription() == said
    assert said in [label.text() for label in dialog.findChildren(QLabel)]
    dialog.show_decision(RuleDecision(FolderRule.GITIGNORE, included=False, detail="\u202egnp", source=b"/a", line=1))
    assert "\u202e" not in tested.accessibleDescription()


def test_the_effect_of_each_pattern_stands_beside_it(qtbot: QtBot) -> None:
    dialog = FolderRulesDialog(folder(7))
    qtbot.addWidget(dialog)
    editor = dialog.findChildren(PatternEditor)[0]
    with qtbot.waitSignal(dialog.preview_asked) as asked:
        editor.setPlainText("*.log\n\n[z-a]\n# mine\n!keep.log\n*.none")
    rules = asked.args[1]
    effects = (
        LineEffect(hidden=1204, examples=(b"a.log", b"b.log", b"c.log", b"d.log")),
        LineEffect(trouble="The bracket is wrong."),
        LineEffect(),
        LineEffect(included=1, examples=(b"keep.log",)),
        LineEffect(),
    )
    found = RulePreview(2000, 797, effects, 1204, ((b"a.log", "Line 1"),), 1, (b"new.md",), suffixes=(("md", 797),))
    dialog.show_preview(rules, found)
    words = [editor.words(line) for line in editor.toPlainText().splitlines()]
    assert words == ["leaves out 1,204 files", "", "not valid", "", "keeps 1 file", "decides about no file"]
    said = "\n".join(label.text() for label in dialog.findChildren(QLabel))
    assert "Files read with these rules: 797 (1,204 fewer and 1 more than now)." in said
    editor.moveCursor(QTextCursor.MoveOperation.Start)
    said = "\n".join(label.text() for label in dialog.findChildren(QLabel))
    assert "This line: a.log, b.log, c.log and 1,201 more" in said
    for _ in range(2):
        editor.moveCursor(QTextCursor.MoveOperation.Down)
    assert "“[z-a]”: The bracket is wrong." in "\n".join(label.text() for label in dialog.findChildren(QLabel))
    assert "[z-a]: not valid" in editor.accessibleDescription()
    (types,) = (b for b in dialog.findChildren(QPushButton) if b.text() == "Leave out a type")
    types.menu().actions()[0].trigger()
    assert dialog.rules().ignore[-1] == "*.[mM][dD]"
    dialog.show_preview(rules, RulePreview(1, 1, effects))  # of rules that were typed over
    assert "797" in "\n".join(label.text() for label in dialog.findChildren(QLabel))


def test_a_dropped_file_is_tested(qtbot: QtBot) -> None:
    dialog = FolderRulesDialog(folder(7))
    qtbot.addWidget(dialog)
    dialog.show()
    (tested,) = (line for line in dialog.findChildren(QLineEdit) if "test the rules" in line.accessibleName())
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/home/anna/a b.tmp")])
    place, copy = tested.rect().center(), Qt.DropAction.CopyAction
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(place, copy, data, left, none)
    QApplication.sendEvent(tested, entering)
    assert entering.isAccepted()
    with qtbot.waitSignal(dialog.path_asked) as asked:
        QApplication.sendEvent(tested, QDropEvent(QPointF(place), copy, data, left, none))
    assert asked.args[2] == b"/home/anna/a b.tmp"


def test_changed_rules_can_be_undone(panel: LibraryPanel, status: ShownStatus, qtbot: QtBot) -> None:
    before = FolderRules(("*.tmp",))
    status.update(library(replace(folder(7), rules=before)))
    panel.edit_rules(FolderId(7))
    (dialog,) = panel.findChildren(FolderRulesDialog)
    dialog.findChildren(QPlainTextEdit)[0].setPlainText("*.log")
    with qtbot.waitSignal(panel.rules_changed) as changed, qtbot.waitSignal(panel.rules_edited) as edited:
        next(b for b in dialog.findChildren(QPushButton) if "Save" in b.text()).click()
    assert (changed.args, edited.args) == ([7, FolderRules(("*.log",))], [7, before])


def test_a_broken_pattern_is_told_in_the_language_of_the_window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop_rag.gui.library.folder_rules_dialog.sentence", lambda english: f"<{english}>")
    dialog = FolderRulesDialog(folder(7))
    qtbot.addWidget(dialog)
    (editor,) = dialog.findChildren(PatternEditor)
    editor.setPlainText("[")
    dialog.show_preview(dialog.rules(), RulePreview(1, 1, (LineEffect(trouble="It is broken."),)))
    assert "<It is broken.>" in "\n".join(label.text() for label in dialog.findChildren(QLabel))
