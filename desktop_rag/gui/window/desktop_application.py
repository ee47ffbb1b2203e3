"""The Qt application: its names, its language, and what macOS asks it to open."""

import os
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QUrl, Signal
from PySide6.QtGui import QFileOpenEvent, QIcon
from PySide6.QtWidgets import QApplication

from desktop_rag import __version__
from desktop_rag.gui.catalogues import install_catalogues
from desktop_rag.gui.window.single_instance import InstanceRequest
from desktop_rag.settings import usable_settings
from desktop_rag.text.desktop_links import is_link


class DesktopApplication(QApplication):
    """Reports what macOS asks a running program to open."""

    opened = Signal(object)  # an InstanceRequest

    def event(self, event: QEvent) -> bool:
        """Take a file, a folder or a link to open."""
        request = self.request_of(event) if isinstance(event, QFileOpenEvent) else None
        if request is None:
            return super().event(event)
        self.opened.emit(request)
        return True

    @staticmethod
    def request_of(event: QFileOpenEvent) -> InstanceRequest | None:
        """Return what an event asks to open, None if it is neither a link of ours nor a file."""
        link = event.url().toString(QUrl.ComponentFormattingOption.FullyEncoded)
        if is_link(link):
            return InstanceRequest(link=link)
        return InstanceRequest((os.fsencode(event.file()),)) if event.file() else None


def make_application(arguments: Sequence[str]) -> QApplication:
    """Return the QApplication, named for the desktop and the settings."""
    application = DesktopApplication(list(arguments))
    application.setApplicationName("desktop-rag")
    application.setApplicationDisplayName("Desktop RAG")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("desktop-rag")
    # Icons are the program's and Qt's own: one clear button of a field would look for files in thousands of places.
    QIcon.setThemeSearchPaths([":/icons"])
    QIcon.setFallbackSearchPaths([":/icons"])
    install_catalogues(application, usable_settings().language)
    return application
