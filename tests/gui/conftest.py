"""Every GUI test runs off-screen, looks the same on every machine and leaves nothing behind."""

import os
from pathlib import Path

# Before the first import of Qt; the path is relative because a colon would end it.
os.environ["QT_QPA_PLATFORM"] = os.environ.get("QT_QPA_PLATFORM", "offscreen").replace(
    "offscreen", f"offscreen:configfile={os.path.relpath(Path(__file__).with_name('screens.json'))}"
)

import builtins
import gc
import shutil
import threading
from collections.abc import Callable, Iterator

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QObject, Qt, QThread, QUrl, SignalInstance, Slot
from PySide6.QtGui import QDesktopServices, QFont, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from pytestqt.wait_signal import SignalBlocker

from desktop_rag.app import App
from desktop_rag.gui.theme.theme import Look
from desktop_rag.index.library import Library
from desktop_rag.paths import resources
from tests.gui.opened_app import opened

PATIENCE = 60_000  # milliseconds
MANY_WIDGETS = 100


def _running_threads() -> list[str]:
    qt = [
        thread.objectName()
        for thread in gc.get_objects()
        if type(thread) is QThread and shiboken6.isValid(thread) and thread.isRunning()
    ]
    mine = threading.main_thread()
    own = [t.name for t in threading.enumerate() if t is not mine and not t.daemon and t.is_alive()]
    return qt + own


@pytest.fixture(autouse=True)
def classes_of_qt_on_the_gui_thread(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail a test that makes a class of Qt on another thread: shiboken's table of classes has no lock."""
    elsewhere: list[str] = []
    build = builtins.__build_class__

    def watched(body: Callable[[], object], name: str, *bases: type, **keywords: object) -> type:
        made: type = build(body, name, *bases, **keywords)
        if isinstance(made, type(QObject)) and threading.current_thread() is not threading.main_thread():
            elsewhere.append(f"{made.__module__}.{name}")
        return made

    monkeypatch.setattr(builtins, "__build_class__", watched)
    yield
    assert elsewhere == []


@pytest.fixture(autouse=True)
def no_look_outlives_its_test(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Delete what dresses the application: one that is left follows the system beside that of the next test."""
    made: list[Look] = []
    begin = Look.__init__

    def noted(look: Look, *arguments: object, **keywords: object) -> None:
        begin(look, *arguments, **keywords)  # type: ignore[arg-type]
        made.append(look)

    monkeypatch.setattr(Look, "__init__", noted)
    yield
    for look in filter(shiboken6.isValid, made):
        shiboken6.delete(look)


@pytest.fixture(scope="session")
def qapp(qapp: QApplication) -> QApplication:
    """Fix what a machine may change: style, font, and how numbers and dates are written."""
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    qapp.setStyle("Fusion")
    qapp.setFont(QFont("DejaVu Sans", 10))
    return qapp


@pytest.fixture
def letters(qapp: QApplication) -> None:
    """Skip a test that measures texts where no font is installed: Qt draws wide boxes there."""
    if not QFontMetrics(qapp.font()).inFont("a"):
        pytest.skip("no font is installed")


@pytest.fixture(autouse=True)
def own_data_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep each test's settings and libraries to itself."""
    home = tmp_path / "data home"
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(home))
    return home


class PatientBot(QtBot):
    """Waits as long as a busy machine needs."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(
        self,
        signal: SignalInstance,
        *,
        timeout: int = PATIENCE,
        raising: bool | None = None,
        check_params_cb: Callable[..., bool] | None = None,
    ) -> SignalBlocker:
        return super().waitSignal(signal, timeout=timeout, raising=raising, check_params_cb=check_params_cb)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


@pytest.fixture(autouse=True)
def leaves_nothing_behind(qapp: QApplication) -> Iterator[None]:
    """Fail a test that ends with a visible window or a running thread, or with garbage that complains when it goes."""
    gc.collect()
    gc.freeze()  # what is alive by now need not be looked at again below, which is a hundred times dearer
    before = len(QApplication.allWidgets())
    yield
    gc.collect()  # now, and not in a later test
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QApplication.processEvents()
    if QApplication.keyboardModifiers() != Qt.KeyboardModifier.NoModifier:  # of the last key of a sequence
        QTest.keyRelease(QWidget(), Qt.Key.Key_Control)
    windows = [widget for widget in QApplication.topLevelWidgets() if widget.isVisible()]
    for window in windows:
        window.hide()
    assert windows == [], "this test leaves windows open"
    assert len(QApplication.allWidgets()) < before + MANY_WIDGETS, (
        "each later change of the theme styles what is left here"
    )
    assert _running_threads() == [], "this test leaves threads running"


class Browser(QObject):
    """What Qt opens web addresses with during a test."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, address: QUrl) -> None:
        self.opened.append(address.toString())


@pytest.fixture
def browser(qapp: QApplication) -> Iterator[Browser]:
    browser = Browser()
    for scheme in ("http", "https"):
        QDesktopServices.setUrlHandler(scheme, browser, "open")  # type: ignore[arg-type]  # the stub takes bytes
    yield browser
    for scheme in ("http", "https"):
        QDesktopServices.unsetUrlHandler(scheme)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DESKTOP_RAG_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def app(qapp: QApplication, qtbot: QtBot, home: Path) -> Iterator[App]:
    with opened(App(qapp, Library(home / "library")), qtbot) as app:
        yield app


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return Path(shutil.copytree(resources() / "sample", tmp_path / "Boat workshop"))
