"""The window speaks the chosen language, and errors from layers without Qt are translated with what is filled in."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QDate, QLocale, QTranslator
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

import translations
from desktop_rag.gui import catalogues
from desktop_rag.gui.catalogues import install_catalogues, is_stale, sentence, window_language
from desktop_rag.gui.command_parts import shown_keys, stored_keys
from desktop_rag.gui.formatting import place
from desktop_rag.gui.settings.diagnostics import DiagnosticsPage, Installation
from desktop_rag.gui.viewer.tabs.document_tab import DocumentActions
from desktop_rag.llm.failures import ChatEndpoint, from_status
from desktop_rag.settings import Settings
from translatable import Message, messages

FULL = "The disk is full. Free some space; indexing continues by itself."
REFUSED = "{0} did not accept the API key ({1}). Check the key of this model in the settings."


@pytest.mark.parametrize(
    ("preferred", "language"),
    [
        (["de-AT", "en"], "de"),
        (["zh-Hans-CN"], "zh_CN"),
        (["zh-CN"], "zh_CN"),
        (["zh-Hant-TW", "zh-TW"], "en"),
        (["fr-FR", "de-DE"], "de"),
        (["C"], "en"),
        ([], "en"),
    ],
)
def test_the_first_language_we_have_is_used(preferred: list[str], language: str) -> None:
    assert window_language("", preferred) == language
    assert window_language("zh_CN", preferred) == "zh_CN"
    assert window_language("tlh", preferred) == language


REASONS = (
    "This file contains no text.",
    "This file is damaged or not a Word document.",
    "Pictures (.psd) are not read yet",
    "Larger than 50 MB, the limit of this folder",
    "3 of 12 files in this archive cannot be read: too large.",
    "offer.docx: This file is very large; the rest of it was left out.",
    "pages 1–3, 7 without text (a scan?); the file is damaged; what could be repaired was read",
    "Reading this file took longer than 60 seconds of processor time; the rest of the file was left out.",
    "This file crashed the reader; it is damaged, or too complex to read. It was tried 2 times and is quarantined "
    "until it changes.",
)
ENGLISH_WORDS = re.compile(r"\b(the|file|files|read|of|is|are|not|this|it)\b", re.IGNORECASE)


@pytest.fixture(autouse=True)
def english_again(qapp: QApplication) -> Iterator[None]:
    """Leave the other tests the language and the locale that they had."""
    before = QLocale()
    yield
    for translator in qapp.findChildren(QTranslator):
        QCoreApplication.removeTranslator(translator)
        translator.setParent(None)
    QLocale.setDefault(before)


@pytest.fixture
def german(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install a catalogue with two sentences, compiled as the program's own."""
    folder = tmp_path / "translations"
    folder.mkdir()
    known = {
        Message("Sentences", FULL): ("Die Platte ist voll.",),
        Message("Sentences", "{0} in {1}"): ("{0} in {1}",),
        Message("Sentences", "{n} passages"): ("{n} Passagen",),
        Message("Sentences", "1 file"): ("1 Datei",),
        Message("Sentences", "{n} files"): ("{n} Dateien",),
        Message("Sentences", REFUSED): ("Schlüssel abgelehnt von {0}: {1}",),
    }
    for language in translations.LANGUAGES:
        translations.write(folder / f"desktop_rag_{language}.ts", language, set(known), known)
    monkeypatch.setattr(translations, "FOLDER", folder)
    assert translations.compile_catalogues(folder) == 0
    found = (REFUSED, FULL, "{n} passages", "{n} files", "1 file", "{0} in {1}")
    (folder / "sentences.txt").write_text("\n".join(found), encoding="utf-8")
    monkeypatch.setattr(catalogues, "resources", lambda: tmp_path)
    catalogues._templates.cache_clear()
    assert install_catalogues(qapp, "de") == "de"
    yield
    catalogues._templates.cache_clear()


@pytest.mark.processes
@pytest.mark.usefixtures("german")
def test_errors_are_translated_with_what_is_filled_in() -> None:
    assert sentence(OSError(FULL)) == "Die Platte ist voll."
    assert sentence(REFUSED.format("http://host/v1", "401 {x}")) == "Schlüssel abgelehnt von http://host/v1: 401 {x}"
    assert sentence(REFUSED.format("a", FULL)) == "Schlüssel abgelehnt von a: Die Platte ist voll."
    assert sentence("1,008 passages in 3 files") == "1.008 Passagen in 3 Dateien"
    assert sentence("2 passages in 1 file") == "2 Passagen in 1 Datei"
    assert sentence("Nobody wrote this.") == "Nobody wrote this."
    assert sentence("") == ""


@pytest.mark.parametrize("language", ["de", "zh_CN"])
@pytest.mark.parametrize("status", [307, 400, 401, 402, 404, 407, 429, 500, 503, 504])
def test_refusals_of_endpoints_are_translated(qapp: QApplication, language: str, status: int) -> None:
    install_catalogues(qapp, language)
    headers = {"retry-after": "20", "location": "https://x.example"} if status in {307, 429} else {}
    error = from_status(status, headers, "", ChatEndpoint("https://h.example/v1", "m")).error
    said = sentence(error)
    assert said != str(error)
    assert not re.search(r"\b(Check|Try|Add|Put|asks|the)\b", said)


@pytest.mark.parametrize("language", ["de", "zh_CN"])
def test_the_words_of_a_server_stay_as_they_are(qapp: QApplication, language: str) -> None:
    install_catalogues(qapp, language)
    body = '{"error": {"message": "The model has crashed (no reason)."}}'
    said = sentence(from_status(500, {}, body, ChatEndpoint("https://h.example/v1", "m")).error)
    assert re.search(r"500: The model has crashed \(no reason\)[)）]", said)


@pytest.mark.parametrize("language", ["de", "zh_CN"])
def test_reasons_of_readers_are_translated_whole(qapp: QApplication, language: str) -> None:
    install_catalogues(qapp, language)
    said = [sentence(reason) for reason in REASONS]
    assert [words for words in said if ENGLISH_WORDS.search(words)] == []
    assert "offer.docx" in said[5]
    assert "12" in said[4]


def test_steps_are_translated_whole_with_the_quotation_marks_of_the_language(qapp: QApplication) -> None:
    install_catalogues(qapp, "de")
    assert sentence("Searching “mast”, “keel” by meaning") == "Sucht „mast“, „keel“ nach der Bedeutung"
    found = sentence("Looking for documents with a word of “lease” in their names")
    assert found == "Sucht Dokumente mit einem Wort aus „lease“ im Namen"
    assert " more" not in sentence("Searching “a”, “b”, “c” and 2 more by words")
    found = sentence("Searched for “a mast”, “mast”. Nothing that was read mentions “mast”.")
    assert found.endswith("„mast“. Nichts von dem, was gelesen wurde, erwähnt „mast“.")
    found = sentence("10 passages in 7 documents. Search by meaning covers 98% so far.")
    assert found == "10 Stellen, 7 Dokumente. Die Suche nach Bedeutung umfasst bisher 98%."
    assert sentence("4 passages read, 2 already read") == "4 Stellen gelesen, 2 schon gelesen"
    assert sentence("1 passage read again") == "1 Stelle erneut gelesen"


def test_parts_that_the_program_names_and_diagnostics_are_in_the_language(qapp: QApplication, qtbot: QtBot) -> None:
    install_catalogues(qapp, "de")
    assert place(None, 2, 2, "Cell 3") == "Zelle 3 · Zeile 2"
    assert place(None, 2, 2, "Slide 12") == "Folie 12 · Zeile 2"
    assert place(None, 2, 2, "Slide rules 3") == "Slide rules 3 · Zeile 2"
    page = DiagnosticsPage(Settings())
    qtbot.addWidget(page)
    page.show_installation(Installation((("System", "Linux"), ("Processors", "2")), (), 0, ()))
    assert "System Linux · Prozessoren 2" in [label.text() for label in page.findChildren(QLabel)]


@pytest.mark.processes
@pytest.mark.usefixtures("german")
def test_numbers_and_qts_own_words_follow_the_chosen_language() -> None:
    assert QLocale().toString(1234567) == "1.234.567"
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Abbrechen"


def test_translations_older_than_their_catalogue_are_noticed(tmp_path: Path) -> None:
    assert not is_stale(tmp_path, "de")  # an installed program has no catalogue
    source, compiled = tmp_path / "desktop_rag_de.ts", tmp_path / "desktop_rag_de.qm"
    source.touch()
    assert is_stale(tmp_path, "de")
    compiled.touch()
    os.utime(source, ns=(0, 1))
    assert not is_stale(tmp_path, "de")
    os.utime(compiled, ns=(0, 0))
    assert is_stale(tmp_path, "de")


def test_the_keys_in_the_menu_of_a_document_follow_the_language(qapp: QApplication, qtbot: QtBot) -> None:
    install_catalogues(qapp, "de")
    parent = QWidget()
    qtbot.addWidget(parent)
    texts = [action.text() for action in DocumentActions(parent).text_menu().actions()]
    assert [text for text in texts if "\t" in text] == ["Kopieren\tStrg+C", "Alles auswählen\tStrg+A"]


def test_the_names_of_keys_follow_the_chosen_language(qapp: QApplication) -> None:
    install_catalogues(qapp, "de")
    keys = QKeySequence("Alt+Return")
    assert shown_keys(keys) == "Alt+Eingabe"
    assert stored_keys(keys) == "Alt+Return"
    assert QKeySequence("Alt+Return") == keys


def test_without_a_locale_dates_and_numbers_are_still_written_as_people_do(qapp: QApplication) -> None:
    QLocale.setDefault(QLocale.c())
    assert install_catalogues(qapp, "") == "en"
    assert QLocale().toString(1109) == "1,109"
    assert QLocale().toString(QDate(2018, 1, 29), QLocale.FormatType.ShortFormat) == "29/01/2018"


def test_a_translation_with_other_placeholders_is_a_fault() -> None:
    known = {
        Message("A", "{0} of {1}"): ("{0} von {2}",),
        Message("A", "%Ln file(s)"): ("%Ln Datei",),
        Message("A", "{0} <b>x</b>"): ("<b>{0}</b>",),
    }
    assert len(list(translations.faults(known, 2))) == 2


def test_the_texts_of_the_program_are_found(tmp_path: Path) -> None:
    package = tmp_path / "program"
    package.mkdir()
    (package / "shown.py").write_text(
        "class Page(QWidget):\n"
        "    def show(self):\n"
        "        self.tr('Open') if x else self.tr('%Ln file(s)', '', 3)\n"
        "def _tr(text):\n"
        "    return QCoreApplication.translate('Words', text)\n"
        "NAME = _tr('Name')\n"
        "PARTS = ('%Ln scan(s)', 'parts of %Ln file(s)')\n"
        "class BrokenError(DesktopRagError):\n"
        "    title = 'It is broken'\n"
        "raise BrokenError(f'{path} is broken ({why}). Mend it.')\n",
        encoding="utf-8",
    )
    assert {(each.context, each.source) for each in messages(package)} == {
        ("Page", "Open"),
        ("Page", "%Ln file(s)"),
        ("Words", "Name"),
        ("Words", "%Ln scan(s)"),
        ("Words", "parts of %Ln file(s)"),
        ("Sentences", "It is broken"),
        ("Sentences", "{0} is broken ({1}). Mend it."),
        ("QShortcut", "Return"),
    }


def test_every_text_of_the_window_is_translated() -> None:
    """`python packaging/translations.py update` collects new texts; what is empty then has to be translated."""
    assert list(translations.missing()) == []


@pytest.mark.parametrize(
    ("language", "other"),
    [
        ("de", r"\bTour\b"),
        ("de", r"\bder Sinn\b|Unterhaltung|Rechner|Passage"),  # Bedeutung, Gespräch, Computer, Stelle
        ("zh_CN", r"文库|[的此]库|计算机"),
        ("zh_CN", r"[\u4e00-\u9fff）]([,:;?!][\u4e00-\u9fff]|\((?!&))"),  # punctuation of another script
    ],
)
def test_translations_have_one_word_for_one_thing(language: str, other: str) -> None:
    known = translations.translated(translations.catalogue(language))
    assert not [text for texts in known.values() for text in texts if re.search(other, text)]


def test_a_sentence_compiles_only_the_patterns_that_can_fit() -> None:
    catalogues._pattern.cache_clear()
    assert sentence("No sentence of ours, about no file at all") == "No sentence of ours, about no file at all"
    assert catalogues._pattern.cache_info().currsize < 20  # hundreds would stall the window at its first sentence


@pytest.mark.processes
def test_a_catalogue_that_a_window_has_open_is_replaced_not_rewritten(tmp_path: Path) -> None:
    names = [f"desktop_rag_{language}.qm" for language in translations.LANGUAGES]
    for name in names:
        (tmp_path / name).write_bytes(b"old")
        os.utime(tmp_path / name, (1, 1))
    with (tmp_path / names[0]).open("rb") as file:
        assert translations.compile_catalogues(tmp_path) == 0
        assert file.read() == b"old"
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(names)
    assert all(QTranslator().load(str(tmp_path / name)) for name in names)
