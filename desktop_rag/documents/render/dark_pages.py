"""Recolours a rendered page for a dark window: dark becomes light, hues stay, photographs are only dimmed."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from desktop_rag.documents.render.painter_messages import PagePainted

_BAND = 256  # rows at a time: the intermediate arrays stay small
_DIMMED = 0.8  # of the light of a photograph
_PAPER = 225  # from this value of the darkest channel on, a pixel is paper
_COLORED = 24  # from this difference of channels on, a pixel has a hue
_LUMA = np.array([0.299, 0.587, 0.114], np.float32)  # ITU-R BT.601
_LIGHTER, _DARKER = 0.6, 0.9  # how far the brightness of a colour is inverted, too; more would bleach it
_IS_PAPER = 0.4  # share of such pixels from which a picture is a drawing or a scan

Box = tuple[float, float, float, float]
Pixels = npt.NDArray[np.uint8]


def darken(page: PagePainted, paper: int, ink: int, pictures: Sequence[Box]) -> PagePainted:
    """Return the page with white as `paper` and black as `ink` (0xRRGGBB); `pictures` are x0 y0 x1 y1 in pixels."""
    rows = np.frombuffer(page.pixels, np.uint8).reshape(page.height, page.stride)
    image = rows[:, : 3 * page.width].reshape(page.height, page.width, 3)
    tables = [_table(paper >> shift & 255, ink >> shift & 255) for shift in (16, 8, 0)]
    dark = np.empty((page.height, page.width, 3), np.uint8)
    for top in range(0, page.height, _BAND):
        _invert(image[top : top + _BAND], dark[top : top + _BAND], tables)
    for x0, y0, x1, y1 in pictures:
        place = (slice(max(0, round(y0)), max(0, round(y1))), slice(max(0, round(x0)), max(0, round(x1))))
        part = image[place]
        if part.size and (part.min(axis=2) >= _PAPER).mean() < _IS_PAPER:
            dark[place] = part * _DIMMED
    return PagePainted(page.number, page.scale, page.width, page.height, 3 * page.width, dark.tobytes())


def _table(paper: int, ink: int) -> Pixels:
    """Return the values of a channel between paper and ink for each inverted value."""
    return np.round(np.linspace(paper, ink, 256)).astype(np.uint8)


def _invert(light: Pixels, dark: Pixels, tables: Sequence[Pixels]) -> None:
    """Invert the lightness of HSL: c + 255 - max - min keeps hue and saturation."""
    red, green, blue = (light[:, :, channel].astype(np.int16) for channel in range(3))
    most = np.maximum(np.maximum(red, green), blue)
    least = np.minimum(np.minimum(red, green), blue)
    shift = 255 - most - least
    inverted = np.stack([(values + shift).astype(np.uint8) for values in (red, green, blue)], axis=2)
    colored = most - least > _COLORED
    inverted[colored] = _balance(inverted[colored], light[colored])
    for channel, table in enumerate(tables):
        dark[:, :, channel] = table[inverted[:, :, channel]]


def _balance(inverted: Pixels, light: Pixels) -> Pixels:
    """Make colours lighter or darker that are as bright as before: blue links, yellow grounds."""
    colors = inverted.astype(np.float32)
    bright, wanted = colors @ _LUMA, 255 - light @ _LUMA
    lighter = _LIGHTER * np.clip((wanted - bright) / np.maximum(255 - bright, 1), 0, 1)
    darker = _DARKER * np.clip((bright - wanted) / np.maximum(bright, 1), 0, 1)
    balanced = (colors + (255 - colors) * lighter[:, None]) * (1 - darker[:, None])
    rounded: Pixels = np.round(balanced).astype(np.uint8)
    return rounded
