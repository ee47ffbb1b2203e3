import io
import struct
import zlib

import pytest
from PIL import Image, features

from desktop_rag.documents.format_registry import read_document
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import read_or_refuse, texts


def _element(name: int, *contents: "bytes | str | int") -> bytes:
    data = b"".join(_coded(content) for content in contents)
    head = name.to_bytes(-(-name.bit_length() // 8), "big")
    return head + (1 << 56 | len(data)).to_bytes(8, "big") + data


def _endless(name: int, *contents: bytes) -> bytes:
    return name.to_bytes(4, "big") + b"\x01" + b"\xff" * 7 + b"".join(contents)


def _coded(content: "bytes | str | int") -> bytes:
    if isinstance(content, int):
        return content.to_bytes(4, "big")
    return content.encode() if isinstance(content, str) else content


def _block(track: int, moment: int, words: bytes) -> bytes:
    return _element(0xA0, _element(0xA1, bytes((0x80 | track,)) + struct.pack(">hB", moment, 0) + words))


def _track(number: int, codec: str, *further: bytes) -> bytes:
    named = _element(0x22B59C, "und" if further else "eng")
    return _element(0xAE, _element(0xD7, number), _element(0x83, 0x11), _element(0x86, codec), named, *further)


def _film(*, endless: bool = False) -> bytes:
    info = _element(0x1549A966, _element(0x7BA9, "Garden film"), _element(0x4489, struct.pack(">d", 5000.0)))
    packed = _element(0x6D80, _element(0x6240, _element(0x5034, _element(0x4254, 0))))
    stripped = _element(0x6D80, _element(0x6240, _element(0x5034, _element(0x4254, 3), _element(0x4255, b"Sow "))))
    video = _element(0xAE, _element(0xD7, 9), _element(0x83, 1), _element(0x86, "V_VP8"))
    tracks = _element(
        0x1654AE6B,
        video,
        _track(1, "S_TEXT/UTF8"),
        _track(2, "S_TEXT/ASS", packed),
        _track(3, "D_WEBVTT/SUBTITLES", stripped),
    )
    tags = _element(
        0x1254C367, _element(0x7373, _element(0x67C8, _element(0x45A3, "DIRECTOR"), _element(0x4487, "Ada")))
    )
    shown = _element(0x80, _element(0x85, "Spring"))
    chapters = _element(0x1043A770, _element(0x45B9, _element(0xB6, _element(0x91, 0), shown)))
    blocks = (
        _element(0xE7, 60_000),
        _block(9, 0, b"\0picture"),
        _block(1, 1000, b"<i>Marrowfat</i>\npeas"),
        _block(2, 2000, zlib.compress(b"0,0,Default,,0,0,0,,{\\i1}Leeks, too\\Nin May")),
        _block(3, 3000, b"in April"),
    )
    clusters = _endless(0x1F43B675, *blocks) if endless else _element(0x1F43B675, *blocks)
    parts = (info, tracks, chapters, clusters, tags)
    segment = _endless(0x18538067, *parts) if endless else _element(0x18538067, *parts)
    return _element(0x1A45DFA3, _element(0x4282, "matroska")) + segment


@pytest.mark.parametrize("endless", [False, True])
def test_a_film_has_its_fields_chapters_and_subtitles_with_times(endless: bool) -> None:
    document = read_document("film.mkv", _film(endless=endless))
    assert [line.text for line in document.lines() if line.text] == [
        "Length: 0:00:05",
        "Title: Garden film",
        "Director: Ada",
        "Chapters",
        "[0:00:00] Spring",
        "Subtitles (eng)",
        "[0:01:01] Marrowfat peas",
        "Subtitles",
        "[0:01:02] Leeks, too in May",
        "Subtitles",
        "[0:01:03] Sow in April",
    ]
    assert (document.title, document.author, document.format) == ("Garden film", "Ada", "recording")


def _chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + bytes(len(data) & 1)


def _avi() -> bytes:
    header = _chunk(b"LIST", b"hdrl" + _chunk(b"avih", struct.pack("<5I", 40_000, 0, 0, 0, 125) + bytes(36)))
    facts = _chunk(b"LIST", b"INFO" + _chunk(b"INAM", b"Garden\0") + _chunk(b"ICMT", "Überall".encode()))
    film = b"AVI " + header + _chunk(b"LIST", b"movi" + b"x" * 100) + facts
    return b"RIFF" + struct.pack("<I", len(film)) + film


def test_an_avi_film_has_its_length_and_facts() -> None:
    assert texts("a.avi", _avi()) == ["Length: 0:00:05", "Title: Garden", "Comment: Überall"]


def test_a_sound_in_wav_has_its_facts() -> None:
    sound = _chunk(b"fmt ", struct.pack("<HHIIHH", 1, 1, 8000, 8000, 1, 8)) + _chunk(b"data", bytes(16_000))
    facts = _chunk(b"LIST", b"INFO" + _chunk(b"INAM", b"Garden\0\0"))
    wave = b"WAVE" + sound + facts
    assert texts("a.wav", b"RIFF" + struct.pack("<I", len(wave)) + wave) == ["Length: 0:00:02", "Title: Garden"]


def _box(kind: bytes, *contents: bytes) -> bytes:
    data = b"".join(contents)
    return struct.pack(">I4s", len(data) + 8, kind) + data


def _heic(place: int | None = None) -> bytes:
    described = b"Marrowfat bed\0"
    tiff = b"II*\0" + struct.pack("<IHHHIII", 8, 1, 0x010E, 2, len(described), 26, 0) + described
    stored = struct.pack(">I", 0) + tiff
    entry = _box(b"infe", b"\2\0\0\0" + struct.pack(">HH4s", 7, 0, b"Exif") + b"\0")
    names = _box(b"iinf", b"\0\0\0\0" + struct.pack(">H", 1), entry)
    size = _box(b"ispe", bytes(4) + struct.pack(">II", 4032, 3024))
    properties = _box(b"iprp", _box(b"ipco", size))

    def whole(start: int) -> bytes:
        places = _box(b"iloc", b"\0\0\0\0\x44\x00" + struct.pack(">HHHHII", 1, 7, 0, 1, start, len(stored)))
        return _box(b"ftyp", b"heic", bytes(4)) + _box(b"meta", bytes(4), names, places, properties)

    start = len(whole(0)) + 8
    return whole(start if place is None else place) + _box(b"mdat", stored)


def test_a_photo_of_a_phone_has_its_size_and_metadata() -> None:
    assert texts("a.heic", _heic()) == ["Picture: 4032 × 3024 pixels, HEIC", "Description: Marrowfat bed"]
    assert texts("a.heic", _heic(place=1 << 30)) == ["Picture: 4032 × 3024 pixels, HEIC"]
    with pytest.raises(DocumentError, match="damaged or of an unsupported kind"):
        read_document("a.heic", b"no photo")


@pytest.mark.skipif(not features.check("avif"), reason="Pillow was built without AVIF")
def test_an_avif_picture_has_a_page_for_its_text() -> None:
    written = io.BytesIO()
    Image.new("RGB", (64, 48)).save(written, "AVIF")
    document = read_document("a.avif", written.getvalue())
    assert [(page.width, page.height) for page in document.pages] == [(48.0, 36.0)]
    assert document.structure.textless == (1,)
    assert not read_document("a.heic", _heic()).pages
    cut = written.getvalue()[:-100]
    assert read_document("a.avif", cut).text == "Picture: 64 × 48 pixels, AVIF"


def test_truncated_and_mutated_files_end_in_fields_or_a_reason() -> None:
    for name, data in (("a.mkv", _film()), ("b.mkv", _film(endless=True)), ("a.avi", _avi()), ("a.heic", _heic())):
        for at in range(len(data)):
            read_or_refuse(name, data[:at] + b"\xff" + data[at + 1 :])
            if at % 5 == 0:
                read_or_refuse(name, data[:at])
    read_or_refuse("a.mkv", b"\x1a\x45\xdf\xa3\x80" + b"\x18\x53\x80\x67\xff" * 1000)
