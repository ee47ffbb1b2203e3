"""The titles of the pages of the settings, for modules that name them without loading the pages."""

from PySide6.QtCore import QCoreApplication

EVERYDAY = 6  # pages; those after them are listed under “Advanced”
MODELS = 2  # the place of this page


def page_titles() -> tuple[str, ...]:
    """Return the titles of the pages, in order: those of every day, then the advanced ones."""
    return (
        _tr("Appearance"),
        _tr("Folders"),
        _tr("Models"),
        _tr("Answers"),
        _tr("Privacy"),
        _tr("Shortcuts"),
        _tr("Method"),
        _tr("Limits"),
        _tr("Desktop"),
        _tr("Editor"),
        _tr("Search by meaning"),
        _tr("Programs"),
        _tr("Diagnostics"),
    )


def topics() -> tuple[tuple[str, str], ...]:
    """Return settings that people look for by their own name, each with the title of its page."""
    tr = QCoreApplication.translate
    names = (
        tr("AppearancePage", "Language"),
        tr("AppearancePage", "Size of the text"),
        tr("AppearancePage", "Density"),
    )
    return tuple((name, _tr("Appearance")) for name in names)


def _tr(text: str) -> str:
    return QCoreApplication.translate("SettingsDialog", text)
