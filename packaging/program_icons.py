"""Draws the program's icon in all sizes and formats that the systems ask for, from its SVG."""

import io
import os
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "resources" / "icons" / "desktop-rag.svg"
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)


def png(size: int) -> bytes:
    """Return the icon as a PNG of `size` pixels."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(SOURCE)).render(painter)
    painter.end()
    straight = image.convertToFormat(QImage.Format.Format_RGBA8888)
    buffer = io.BytesIO()
    Image.frombytes("RGBA", (size, size), bytes(straight.constBits())).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def write_ico(target: Path) -> None:
    """Write the icon of Windows, in the sizes up to 256 pixels."""
    pictures = [Image.open(io.BytesIO(png(size))) for size in SIZES if size <= 256]
    pictures[-1].save(target, "ICO", append_images=pictures[:-1], sizes=[picture.size for picture in pictures])


def write_icns(target: Path) -> None:
    """Write the icon of macOS."""
    large = Image.open(io.BytesIO(png(1024)))
    large.save(target, "ICNS", append_images=[Image.open(io.BytesIO(png(size))) for size in (32, 64, 128, 256, 512)])
