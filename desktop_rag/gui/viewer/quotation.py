"""A quote as it goes to the clipboard: the words, and where they stand."""

from pathlib import PurePath

from PySide6.QtCore import QCoreApplication

from desktop_rag.gui import wording


def quotation(words: str, title: str, path: str, page: int | None, first_line: int, last_line: int) -> str:
    """Return the words in quotation marks and, on the next line, their source."""
    name = PurePath(path.replace("\\", "/")).name
    named = (title, f"({name})") if name and title and name != title else (title or name, "")
    place = wording.place(page, first_line, last_line).replace(" · ", ", ") if first_line else ""
    source = ", ".join(part for part in (" ".join(filter(None, named)), place) if part)
    pattern = QCoreApplication.translate("Quotation", "“{0}”\n— {1}")
    return pattern.format(words.strip(), source)
