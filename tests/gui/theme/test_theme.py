"""Both looks can be read, switch live, and find every picture they name."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QListView,
    QProxyStyle,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from desktop_rag.gui.theme import icons
from desktop_rag.gui.theme.theme import Look, current_colors, motion_is_reduced, set_role, style_sheet, text_font
from desktop_rag.gui.theme.theme_colors import DARK, LIGHT, Colors, accented
from desktop_rag.paths import resources
from desktop_rag.settings import DesktopOptions, Theme

WORDS = ("text", "muted", "faint", "link")
GROUNDS = ("window", "surface", "raised")
ON_TINTS = (
    ("text", "hover"),
    ("text", "selected"),
    ("muted", "hover"),
    ("muted", "selected"),
    ("text", "accent_soft"),
    ("link", "accent_soft"),
    ("text", "mark"),
    ("text", "code"),
    ("muted", "code"),
    ("text", "bubble"),
    ("muted", "bubble"),
    ("on_accent", "accent"),
    ("on_accent", "accent_hover"),
    ("success", "success_soft"),
    ("warning", "warning_soft"),
    ("danger", "danger_soft"),
    ("success", "surface"),
    ("warning", "window"),
    ("danger", "window"),
)
ACCENTS = ("#ffd500", "#e5007d", "#000000", "#ffffff", "#808080", "#00ff00", "#0000ff", "#3584e4")
SHAPES = ("outline", "focus", "ready", "meter_instructions", "meter_history", "meter_evidence", "meter_answer")


@pytest.fixture
def look(qapp: QApplication) -> Iterator[Look]:
    style, font, palette = qapp.style().objectName(), qapp.font(), qapp.palette()
    yield Look(qapp)
    qapp.setStyleSheet("")
    qapp.setStyle(style)
    qapp.setFont(font)
    qapp.setPalette(palette)


def close_all_windows() -> None:
    """Hide what other tests have left: under a visible window a theme changes in steps."""
    for window in QApplication.topLevelWidgets():
        window.hide()


def color(colors: Colors, name: str) -> str:
    value = getattr(colors, name)
    assert isinstance(value, str)
    return value


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21 (WCAG 2.2, section 1.4.3)."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: str) -> float:
    shown = QColor(color)
    parts = (shown.redF(), shown.greenF(), shown.blueF())
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("word", "ground"), [(w, g) for w in WORDS for g in GROUNDS] + list(ON_TINTS))
def test_words_can_be_read(colors: Colors, word: str, ground: str) -> None:
    assert contrast(color(colors, word), color(colors, ground)) >= 4.5


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_that_mean_something_can_be_seen(colors: Colors, shape: str) -> None:
    for ground in GROUNDS:
        assert contrast(color(colors, shape), color(colors, ground)) >= 3


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("accent", ACCENTS)
def test_everything_can_be_read_with_the_accent_of_any_system(colors: Colors, accent: str) -> None:
    own = accented(colors, accent)
    pairs = [(w, g) for w in WORDS for g in GROUNDS] + list(ON_TINTS)
    assert [pair for pair in pairs if contrast(color(own, pair[0]), color(own, pair[1])) < 4.5] == []
    assert [(s, g) for s in SHAPES for g in GROUNDS if contrast(color(own, s), color(own, g)) < 3] == []


def test_a_name_that_is_no_colour_changes_nothing() -> None:
    assert accented(LIGHT, "") is LIGHT
    assert accented(DARK, "no colour") is DARK


def test_the_accent_of_the_system_is_used_where_chosen(look: Look, qapp: QApplication) -> None:
    own = DesktopOptions(system_accent=True)
    qapp.setPalette(QPalette())
    system = qapp.palette().color(QPalette.ColorRole.Accent).name()
    look.use(Theme.DARK, options=own)
    assert current_colors() == accented(DARK, system)
    assert current_colors() is current_colors()
    assert qapp.palette().color(QPalette.ColorRole.Highlight).name() == current_colors().accent
    assert current_colors().accent in qapp.styleSheet()
    look.use(Theme.DARK, options=DesktopOptions())
    assert current_colors() is DARK


def test_motion_stops_where_you_or_the_system_want_it(look: Look, qapp: QApplication) -> None:
    look.use(Theme.LIGHT, options=DesktopOptions(reduced_motion=True))
    assert motion_is_reduced()
    assert not qapp.isEffectEnabled(Qt.UIEffect.UI_AnimateMenu)
    look.use(Theme.LIGHT, options=DesktopOptions())
    assert not motion_is_reduced()
    look.follow_motion(True)
    assert motion_is_reduced()
    look.follow_motion(False)
    assert not motion_is_reduced()


def test_contrast_is_the_one_of_the_guidelines() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("colors", [LIGHT, DARK], ids=["light", "dark"])
def test_the_style_sheet_names_only_pictures_that_exist(colors: Colors, qapp: QApplication) -> None:
    sheet = style_sheet(colors, QFont("DejaVu Sans", 10))
    assert "$" not in sheet
    pictures = re.findall(r'url\("([^"]+)"\)', sheet)
    assert pictures
    for picture in pictures:
        assert QSvgRenderer(picture).isValid(), picture


@pytest.mark.parametrize("file", sorted((resources() / "icons").glob("*.svg")), ids=lambda file: file.stem)
def test_every_icon_draws_something(file: Path, qapp: QApplication) -> None:
    drawn = icons.pixmap(file.stem, "#000000", 32).toImage()
    painted = {QColor(drawn.pixelColor(x, y)).alpha() for x in range(drawn.width()) for y in range(drawn.height())}
    assert max(painted) > 200


def test_a_live_switch_leaves_no_widget_behind(look: Look, qtbot: QtBot) -> None:
    look.use(Theme.LIGHT)
    window = QWidget()
    layout = QVBoxLayout(window)
    widgets: list[QWidget] = [QLabel("label"), QPushButton("button"), QLineEdit("field"), QListView()]
    for widget in widgets:
        layout.addWidget(widget)
    qtbot.addWidget(window)
    window.show()
    for theme, colors in ((Theme.DARK, DARK), (Theme.LIGHT, LIGHT), (Theme.DARK, DARK)):
        with qtbot.waitSignal(look.changed) as changed:
            look.use(theme)
        assert changed.args == [colors]
        assert current_colors() is colors
        for widget in [window, *widgets]:
            assert widget.palette().color(QPalette.ColorRole.Text) == QColor(colors.text)


def test_the_window_responds_between_the_steps_of_a_switch(look: Look, qtbot: QtBot, qapp: QApplication) -> None:
    look.use(Theme.LIGHT)
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    seen: list[tuple[bool, bool]] = []
    ticker = QTimer(window)
    ticker.timeout.connect(lambda: seen.append((bool(qapp.styleSheet()), window.updatesEnabled())))
    ticker.start(0)
    with qtbot.waitSignal(look.changed):
        look.use(Theme.DARK)
    assert window.updatesEnabled()
    states = list(dict.fromkeys(seen))
    assert states[:2] == [(False, False), (True, False)]
    assert states[2:] in ([], [(True, True)])  # the last while the end is told


def test_a_switch_during_another_replaces_it(look: Look, qtbot: QtBot, qapp: QApplication) -> None:
    look.use(Theme.LIGHT)
    window = QLabel("label")
    qtbot.addWidget(window)
    window.show()
    told: list[Colors] = []
    look.changed.connect(told.append)
    look.use(Theme.DARK)
    look.use(Theme.LIGHT)
    qtbot.waitUntil(window.updatesEnabled)
    QApplication.processEvents()
    assert told == [LIGHT]
    assert qapp.styleSheet() == style_sheet(LIGHT, qapp.font())


def test_the_system_is_followed_only_while_asked_for(look: Look) -> None:
    close_all_windows()
    look.use(Theme.SYSTEM)
    system_is_dark = QApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
    assert current_colors().dark is system_is_dark
    look.use(Theme.DARK)
    QApplication.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Light)
    assert current_colors() is DARK


def test_an_icon_button_is_redrawn_in_the_new_look(look: Look, qtbot: QtBot) -> None:
    look.use(Theme.LIGHT)
    button = icons.IconButton("pause", "Pause")
    qtbot.addWidget(button)
    button.show()
    before = button.icon().cacheKey()
    with qtbot.waitSignal(look.changed):
        look.use(Theme.DARK)
    assert button.icon().cacheKey() != before
    assert button.accessibleName() == "Pause"


def test_text_never_gets_too_small(look: Look) -> None:
    assert text_font(-50).pointSizeF() == 7


class CountingStyle(QProxyStyle):
    """Counts how often it is applied to a widget."""

    polished = 0

    def polish(self, target: object) -> object:  # type: ignore[override]  # three overloads: application, palette, widget
        self.polished += isinstance(target, QWidget)
        return target


def test_a_role_set_before_the_style_costs_nothing_and_one_set_later_is_applied(qtbot: QtBot) -> None:
    label, style = QLabel("Sources"), CountingStyle()
    qtbot.addWidget(label)
    label.setStyle(style)
    style.polished = 0
    set_role(label, "caption")
    assert style.polished == 0
    label.show()
    assert style.polished == 1
    set_role(label, "muted")
    assert style.polished == 2


def test_a_role_set_before_or_after_the_first_paint_looks_the_same(look: Look, qtbot: QtBot) -> None:
    look.use(Theme.LIGHT)
    early, late = QLabel("Sources"), QLabel("Sources")
    for label in (early, late):
        qtbot.addWidget(label)
    set_role(early, "caption")
    for label in (early, late):
        label.show()
    set_role(late, "caption")
    assert early.font() == late.font() != QApplication.font()
    assert early.sizeHint() == late.sizeHint()
