"""The names of states, types and problems of files, and what to do about each problem."""

from functools import lru_cache

from PySide6.QtCore import QCoreApplication, QLocale

from desktop_rag.documents.file_types import Format
from desktop_rag.errors import ProblemKind
from desktop_rag.gui.formatting import counted
from desktop_rag.index.file_rows import FileColumn, ListedState
from desktop_rag.text.display import one_line


def state_name(state: ListedState) -> str:
    """Return the name of a state in the list."""
    names = {
        ListedState.MEANING: _tr("Meaning"),
        ListedState.WORDS: _tr("Words"),
        ListedState.WAITING: _tr("Waiting"),
        ListedState.PARTIAL: _tr("Partly read"),
        ListedState.PICTURES: _tr("Pictures"),
        ListedState.PROBLEM: _tr("Not searchable"),
    }
    return names[state]


def state_title(state: ListedState) -> str:
    """Return the name of a state where no heading says “Found by”."""
    names = {ListedState.MEANING: _tr("Words and meaning"), ListedState.WORDS: _tr("Words only")}
    return names.get(state) or state_name(state)


def state_help(state: ListedState) -> str:
    """Return a sentence about a state."""
    sentences = {
        ListedState.MEANING: _tr("You can find it by its words and by their meaning."),
        ListedState.WORDS: _tr("You can find it by its words; its meaning is being prepared."),
        ListedState.WAITING: _tr("It waits to be read."),
        ListedState.PARTIAL: _tr("You can find what was read of it; the rest is missing."),
        ListedState.PICTURES: _tr("You can find it by its name; the text in its pictures is not recognised yet."),
        ListedState.PROBLEM: _tr("It cannot be found."),
    }
    return sentences[state]


def column_name(column: FileColumn) -> str:
    """Return the title of a column."""
    names = {
        FileColumn.NAME: _tr("Name"),
        FileColumn.STATE: _tr("Found by"),
        FileColumn.TYPE: _tr("Type"),
        FileColumn.SIZE: _tr("Size"),
        FileColumn.MODIFIED: _tr("Modified"),
        FileColumn.WORDS: _tr("Words"),
        FileColumn.PAGES: _tr("Pages"),
        FileColumn.REASON: _tr("Problem"),
        FileColumn.FOLDER: _tr("Folder"),
    }
    return names[column]


def left_out_text(problems: int, pictures: int, partial: int = 0) -> str:
    """Return how many files are not searchable, are pictures and were read in part; the same words everywhere."""
    return " · ".join(words for words, _ in left_out_parts(problems, pictures, partial))


def left_out_parts(problems: int, pictures: int, partial: int = 0) -> tuple[tuple[str, ListedState], ...]:
    """Return the parts of `left_out_text`, each with the state of its files."""
    counts = (
        (problems, QCoreApplication.translate("FileWording", "%Ln not searchable", "", problems), ListedState.PROBLEM),
        (
            pictures,
            QCoreApplication.translate("FileWording", "%Ln picture(s) without text", "", pictures),
            ListedState.PICTURES,
        ),
        (partial, QCoreApplication.translate("FileWording", "%Ln partly read", "", partial), ListedState.PARTIAL),
    )
    return tuple((counted(text, files), state) for files, text, state in counts if files)


@lru_cache(maxsize=512)  # asked for every row
def kind_name(kind: str) -> str:
    """Return the name of a type: a `Format`, or a suffix with its dot."""
    if not kind:
        return _tr("Unknown")
    if kind.startswith("."):
        return one_line(kind[1:].upper())
    return _format_names().get(kind, one_line(kind.capitalize()))


def _format_names() -> dict[str, str]:
    """Return the names of the formats whose stored value is not a name already."""
    return {
        Format.RST: "reStructuredText",
        Format.ASCIIDOC: "AsciiDoc",
        Format.LATEX: "LaTeX",
        Format.PDF: "PDF",
        Format.RICH_TEXT: "RTF",
        Format.OLD_WORD: _tr("Word (old)"),
        Format.OLD_SLIDES: _tr("Slides (old)"),
        Format.SHEETS: _tr("Spreadsheet"),
        Format.WEB: _tr("Web page"),
        Format.SAVED_PAGE: _tr("Saved page"),
        Format.OUTLOOK_MAIL: _tr("Outlook mail"),
        Format.SIGNED: _tr("Signed file"),
        Format.BOOK: _tr("E-book"),
        Format.FICTION_BOOK: "FictionBook",
        Format.OPEN_DOCUMENT: "OpenDocument",
        Format.XML_OFFICE: _tr("Office file"),
        Format.HANGUL: "HWP",
        Format.IWORK: "iWork",
        Format.DRAWING: _tr("Drawing"),
        Format.LOG: _tr("Log"),
        Format.TEXT: _tr("Text"),
        Format.CODE: _tr("Code"),
        Format.DATA: _tr("Data"),
        Format.TABLE: _tr("Table"),
        Format.SLIDES: _tr("Slides"),
        Format.MAIL: _tr("Mail"),
        Format.MAILBOX: _tr("Mailbox"),
        Format.CALENDAR: _tr("Calendar"),
        Format.CONTACTS: _tr("Contacts"),
        Format.ARCHIVE: _tr("Archive"),
        Format.PICTURE: _tr("Picture"),
        Format.RECORDING: _tr("Recording"),
        Format.NOTEBOOK: _tr("Notebook"),
        Format.SUBTITLES: _tr("Subtitles"),
        Format.PRINTED_BOOK: _tr("Printed book"),
        Format.COMIC: _tr("Comic"),
        Format.DJVU: "DjVu",
        Format.HELP_BOOK: _tr("Help book"),
    }


def size_text(size: int) -> str:
    """Return a number of bytes in the largest fitting unit."""
    return QLocale().formattedDataSize(size, 1, QLocale.DataSizeFormat.DataSizeTraditionalFormat)


def problem_title(kind: ProblemKind) -> str:
    """Return the heading of a group of problems."""
    titles = {
        ProblemKind.PROTECTED: _tr("Protected by a password"),
        ProblemKind.DAMAGED: _tr("Damaged, or not what the name says"),
        ProblemKind.SCANS: _tr("Pages that are only pictures"),
        ProblemKind.ACCESS: _tr("Could not be opened"),
        ProblemKind.CRASHED: _tr("Set aside after two failed attempts"),
        ProblemKind.INTERRUPTED: _tr("Reading was interrupted"),
        ProblemKind.LIMIT: _tr("Too much for one file; only a part was read"),
        ProblemKind.EMPTY: _tr("No text in it"),
        ProblemKind.TOO_LARGE: _tr("Larger than the limit"),
        ProblemKind.TYPE: _tr("Types that are not read"),
        ProblemKind.OTHER: _tr("Other reasons"),
    }
    return titles[kind]


def remedy(kind: ProblemKind) -> str:
    """Return what you can do about a group of problems."""
    remedies = {
        ProblemKind.PROTECTED: _tr("Save a copy without a password in the same folder; it is read by itself."),
        ProblemKind.DAMAGED: _tr(
            "Open one in its own program. If it opens there, save it again; if not, restore it from a backup."
        ),
        ProblemKind.SCANS: _tr(
            "With a program for text recognition (OCR) installed, these pages are read by themselves in the "
            "background, at some seconds of processor time a page. Until then they cost nothing."
        ),
        ProblemKind.ACCESS: _tr("Check that you may read these files and that their disk works, then try again."),
        ProblemKind.CRASHED: _tr(
            "They are not touched again until they change. After an update of this program, try them again."
        ),
        ProblemKind.INTERRUPTED: _tr(
            "Nothing is wrong with these files: they are read again by themselves. If memory is short, close a program."
        ),
        ProblemKind.LIMIT: _tr("Split these files into smaller ones to have all of them read."),
        ProblemKind.EMPTY: _tr("Nothing is missing. Ignore them to shorten this list."),
        ProblemKind.TOO_LARGE: _tr("Raise the size limit in the rules of their folder, or split these files."),
        ProblemKind.TYPE: _tr("Save them in another format, such as PDF or text, or ignore them."),
        ProblemKind.OTHER: _tr("The reason is given beside each file."),
    }
    return remedies[kind]


def _tr(text: str) -> str:
    return QCoreApplication.translate("FileWording", text)
