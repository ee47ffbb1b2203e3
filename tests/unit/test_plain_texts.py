"""The window reads no foreign text as rich text: a file may be called `<img src=…>`, and Qt would load that picture.

Labels are `Label` and its kin, tool tips pass `tool_tip` or are words of the program, and only the modules named here
make documents of HTML, from text that they have escaped.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

GUI = Path(__file__).parents[2] / "desktop_rag" / "gui"
WIDGETS = {"QLabel", "QMessageBox", "QErrorMessage", "QWhatsThis", "QTextBrowser", "QTextEdit"}
WIDGETS_OF = {  # plain text only, or a view that loads nothing
    ("QLabel", "widgets/plain_labels.py"),
    ("QTextBrowser", "conversation/answer/inert_browser.py"),
    ("QTextBrowser", "window/help_dialogs.py"),
    ("QTextEdit", "conversation/sources/citation_card.py"),
    ("QTextEdit", "viewer/tabs/banner.py"),
}
RICH = {"setHtml", "insertHtml", "appendHtml", "setMarkdown", "insertMarkdown", "fromHtml"}
FORMATS = {"RichText", "AutoText", "MarkdownText"}
RICH_OF = {
    ("RichText", "conversation/timeline/comparison_dialog.py"),
    ("fromHtml", "conversation/answer/rich_text.py"),
    ("setHtml", "conversation/export/export_files.py"),
    ("setHtml", "quote_data.py"),  # for the clipboard
    ("setMarkdown", "window/help_dialogs.py"),  # the pages of the program
    ("insertMarkdown", "window/help_dialogs.py"),  # the same, part by part
}
TIPS = {"setToolTip": -1, "showText": 1, "setStatusTip": 0}  # calls, and the place of the text among their arguments
PLAIN = {"tool_tip", "tr", "_tr", "translate"}
TIPS_OF = {"theme/icons.py", "command_parts.py"}  # each escapes, or shows labels that were


def faults(name: str, source: str) -> Iterator[str]:
    """Yield what a module of the window does that could show foreign text as rich text."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.ClassDef():
                used = set(map(_called, node.bases)) & WIDGETS - _of(name, WIDGETS_OF)
            case ast.Call():
                names = {_called(node.func)}
                if isinstance(node.func, ast.Attribute):  # QMessageBox.warning
                    names.add("" if node.func.attr == "ExtraSelection" else _called(node.func.value))
                used = names & (WIDGETS - _of(name, WIDGETS_OF) | RICH - _of(name, RICH_OF))
                tips = names & TIPS.keys() if name not in TIPS_OF else set()
                if any(_is_tip_role(each) for each in node.args):  # setItemData(row, text, role), setData(role, text)
                    texts = [each for each in node.args[1:] if not _is_tip_role(each)]
                    used |= set() if all(map(_is_escaped, texts)) else {"ToolTipRole"}
                used |= {each for each in tips if not _is_escaped(node.args[TIPS[each]])}
            case ast.If() | ast.match_case() | ast.IfExp():
                used = set() if all(map(_is_escaped, _tips_of(node))) else {"ToolTipRole"}
            case ast.Attribute():
                used = {node.attr} & FORMATS - _of(name, RICH_OF)
            case _:
                continue
        place = node.pattern if isinstance(node, ast.match_case) else node
        yield from (f"{name}:{place.lineno} uses {each}" for each in sorted(used))


def _tips_of(node: ast.If | ast.match_case | ast.IfExp) -> Iterator[ast.expr]:
    """Yield what a model returns for the role of tool tips, and the role itself where nothing is returned for it."""
    asked = node.pattern if isinstance(node, ast.match_case) else node.test
    if not any(isinstance(each, ast.expr) and _is_tip_role(each) for each in ast.walk(asked)):
        return
    if isinstance(node, ast.IfExp):
        yield node.body
        return
    returned = [each.value for line in node.body for each in ast.walk(line) if isinstance(each, ast.Return)]
    yield from (each for each in returned or [ast.Name("nothing")] if each is not None)


def _is_tip_role(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "ToolTipRole"


def _of(name: str, pairs: set[tuple[str, str]]) -> set[str]:
    return {used for used, module in pairs if module == name}


def _called(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _is_escaped(text: ast.expr) -> bool:
    """Return whether a text is the program's own, or escaped; what is formatted into a sentence may be foreign."""
    match text:
        case ast.Constant():
            return True
        case ast.IfExp():
            return _is_escaped(text.body) and _is_escaped(text.orelse)
        case ast.BoolOp():
            return all(map(_is_escaped, text.values))
        case ast.Call():
            return _called(text.func) in PLAIN
    return False


def test_no_foreign_text_is_read_as_rich_text() -> None:
    modules = sorted(GUI.rglob("*.py"))
    assert len(modules) > 200
    found = [
        fault
        for path in modules
        for fault in faults(path.relative_to(GUI).as_posix(), path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        "label = QLabel(name, self)",
        "class Row(QLabel): pass",
        "QtWidgets.QMessageBox.warning(self, name, text)",
        "box = QMessageBox(self)",
        "view.setHtml(text)",
        "label.setTextFormat(Qt.TextFormat.RichText)",
        "item.setToolTip(path)",
        "item.setToolTip(self.tr('Remove {0}').format(name))",
        "item.setToolTip(tool_tip(path) or name)",
        "QToolTip.showText(at, name, self)",
        "match role:\n    case Qt.ItemDataRole.ToolTipRole:\n        return name or None",
        "if role == roles.ToolTipRole:\n    return name",
        "text = name if role == Qt.ItemDataRole.ToolTipRole else None",
        "box.setItemData(0, name, Qt.ItemDataRole.ToolTipRole)",
        "item.setData(Qt.ItemDataRole.ToolTipRole, tip)",
    ],
)
def test_such_a_line_is_noticed(source: str) -> None:
    assert list(faults("page.py", source))


@pytest.mark.parametrize(
    "source",
    [
        "Label(name, self)",
        "item.setToolTip(tool_tip(path))",
        "item.setToolTip(self.tr('Remove'))",
        "match role:\n    case Qt.ItemDataRole.ToolTipRole:\n        return tool_tip(name) if name else None",
    ],
)
def test_safe_lines_are_not(source: str) -> None:
    assert list(faults("page.py", source)) == []
