"""Counts as text: English forms by default, those of the language where a translation is loaded."""

import pytest
from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLocale, QTime, QTranslator
from PySide6.QtWidgets import QApplication

from desktop_rag.gui import formatting
from desktop_rag.gui.formatting import counted


@pytest.mark.parametrize(
    ("text", "count", "shown"),
    [
        ("%Ln file(s) ready", 1, "1 file ready"),
        ("%Ln file(s) ready", 1_234, "1,234 files ready"),
        ("%Ln quer(y|ies)", 1, "1 query"),
        ("%Ln quer(y|ies)", 0, "0 queries"),
        ("parts of %Ln file(s) (scanned)", 2, "parts of 2 files (scanned)"),
        ("%Ln found", 1, "1 found"),
    ],
)
def test_english_has_two_forms(qapp: QApplication, text: str, count: int, shown: str) -> None:
    assert counted(QCoreApplication.translate("Test", text, "", count), count) == shown


class _Polish(QTranslator):
    """Translates “file” with the three plural forms of Polish."""

    def translate(self, context: str, text: str, disambiguation: str | None = None, n: int = -1) -> str:
        few = n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14)
        return "%Ln plik" if n == 1 else "%Ln pliki" if few else "%Ln plików"

    def isEmpty(self) -> bool:
        return False


def test_a_translation_chooses_its_own_form(qapp: QApplication) -> None:
    translator = _Polish()
    qapp.installTranslator(translator)
    try:
        shown = [counted(QCoreApplication.translate("Test", "%Ln file(s)", "", n), n) for n in (1, 2, 5)]
    finally:
        qapp.removeTranslator(translator)
    assert shown == ["1 plik", "2 pliki", "5 plików"]


def test_a_tool_tip_is_marked_up_only_where_it_must_be() -> None:
    assert formatting.tool_tip("Method: Thorough") == "Method: Thorough"  # a screen reader speaks the marks
    assert formatting.tool_tip("a < b") == "<qt>a &lt; b</qt>"
    assert formatting.tool_tip("word " * 20).startswith("<qt>")  # Qt wraps it
    assert not formatting.tool_tip("")


@pytest.mark.parametrize(
    ("locale", "shown"),
    [("en_US", "4 Mar 2024"), ("en_150", "4 Mar 2024"), ("de_DE", "04.03.2024"), ("zh_CN", "2024/3/4")],
)
def test_a_date_can_be_read_in_one_way_only(locale: str, shown: str) -> None:
    before = QLocale()
    QLocale.setDefault(QLocale(locale))
    try:
        assert formatting.shown_day(QDate(2024, 3, 4)) == shown
        assert formatting.shown_moment(QDateTime(QDate(2024, 3, 4), QTime(15, 11))).startswith(shown)
    finally:
        QLocale.setDefault(before)
