"""The light look; the application is as before after a test."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from desktop_rag.gui.theme.theme import Look
from desktop_rag.settings import Theme


@pytest.fixture
def look(qapp: QApplication) -> Iterator[Look]:
    font, palette = qapp.font(), qapp.palette()
    look = Look(qapp)
    look.use(Theme.LIGHT)
    yield look
    look.use(Theme.LIGHT)
    qapp.setStyleSheet("")
    qapp.setFont(font)
    qapp.setPalette(palette)
