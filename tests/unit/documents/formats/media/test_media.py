"""The metadata of pictures, sounds and films."""

import io
import struct
import wave
from contextlib import suppress

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from desktop_rag.documents.document import LineKind
from desktop_rag.documents.format_registry import _read, read_document
from desktop_rag.documents.formats.source_file import ReadBudget, SourceFile
from desktop_rag.errors import DocumentError


def picture(kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (300, 200), "white").save(out, kind, **options)
    return out.getvalue()


def photo() -> bytes:
    exif = Image.Exif()
    exif[0x010E] = "The boathouse in winter"
    exif[0x010F], exif[0x0110] = "Canon", "Canon EOS 5D"
    exif[0x013B] = "Anna"
    exif.get_ifd(0x8769)[0x9003] = "2024:02:29 13:45:10"
    exif.get_ifd(0x8825).update({1: "N", 2: (52.0, 30.0, 0.0), 3: "W", 4: (13.0, 15.0, 36.0)})
    return picture("JPEG", exif=exif)


@pytest.mark.parametrize(("name", "kind"), [("a.png", "PNG"), ("a.jpg", "JPEG"), ("a.gif", "GIF"), ("a.bmp", "BMP")])
def test_a_picture_is_a_textless_page_with_its_size(name: str, kind: str) -> None:
    document = read_document(name, picture(kind))
    assert document.format == "picture"
    assert document.line(1).text == f"Picture: 300 × 200 pixels, {kind}"
    assert document.line(1).kind is LineKind.FIELD
    assert document.structure.textless == (1,)
    (page,) = document.pages
    assert (page.width > 0, round(page.width / page.height, 2)) == (True, 1.5)


def midi(*texts: tuple[int, bytes]) -> bytes:
    """Return a MIDI file of one track: notes, and between them these texts."""
    note, going_on = b"\x00\x90\x40\x7f", b"\x81\x00\x40\x00"  # the second without its status
    events = b"".join(note + going_on + bytes([0, 0xFF, kind, len(text)]) + text for kind, text in texts)
    track = b"\x00\xf0\x02\xff\xf7" + events + b"\x00\xff\x2f\x00"
    return b"MThd" + struct.pack(">IHHH", 6, 0, 1, 96) + b"MTrk" + struct.pack(">I", len(track)) + track


WORDS = (b"@KMIDI KARAOKE FILE", b"@TThe boathouse", b"\\Row ", b"the ", b"boat", b"/home")
SONG = midi((3, b"Words"), *((1, word) for word in WORDS))


def test_the_words_of_a_song_are_lines() -> None:
    document = read_document("song.kar", SONG)
    lines = [line.text for line in document.lines() if line.text]
    assert lines == ["Track: Words", "Title: The boathouse", "Row the boat", "home"]
    assert document.title == "The boathouse"


@pytest.mark.parametrize("data", [SONG[:30], SONG[:60], SONG.replace(b"\x90", b"\xf5"), b"MThd", midi()])
def test_a_damaged_song_has_a_text_or_a_reason(data: bytes) -> None:
    with suppress(DocumentError):
        assert "boathouse" not in read_document("song.mid", data).title


def test_webp_and_the_frames_of_a_tiff_are_pages_too() -> None:
    assert len(read_document("a.webp", picture("WEBP")).pages) == 1
    more = [Image.new("RGB", (300, 200), "red")] * 2
    document = read_document("a.tiff", picture("TIFF", save_all=True, append_images=more))
    assert document.structure.textless == (1, 2, 3)


def test_a_photo_has_time_location_and_camera() -> None:
    document = read_document("a.jpg", photo())
    assert document.text.split("\n") == [
        "Picture: 300 × 200 pixels, JPEG",
        "Description: The boathouse in winter",
        "Taken: 2024-02-29 13:45",
        "Place: 52.50000, -13.26000",
        "Camera: Canon EOS 5D",
        "Artist: Anna",
    ]
    assert (document.author, document.created) == ("Anna", "2024-02-29T13:45")


def test_text_chunks_of_a_png_are_read() -> None:
    notes = PngInfo()
    notes.add_text("Title", "Floor plan")
    notes.add_text("Author", "Ben")
    document = read_document("a.png", picture("PNG", pnginfo=notes))
    assert (document.title, document.author) == ("Floor plan", "Ben")


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n" + b"x" * 50, picture("JPEG")[:40], b"II*\0" + b"\xff" * 40, b"x"]
)
def test_a_damaged_picture_is_refused_with_a_sentence(data: bytes) -> None:
    with pytest.raises(DocumentError, match="damaged"):
        read_document("a.png", data)


def recording(**tags: str) -> bytes:
    """Return the head of a FLAC file: 83 seconds of one channel, and its tags."""
    facts = struct.pack(">HHxxxxxxQ", 4096, 4096, 8000 << 44 | 15 << 36 | 83 * 8000) + bytes(16)
    notes = [f"{name}={value}".encode() for name, value in tags.items()]
    comment = struct.pack("<II", 0, len(notes)) + b"".join(struct.pack("<I", len(note)) + note for note in notes)
    return b"fLaC\0" + len(facts).to_bytes(3, "big") + facts + b"\x84" + len(comment).to_bytes(3, "big") + comment


def test_a_recording_has_its_length_and_tags() -> None:
    document = read_document("a.flac", recording(TITLE="Harbour", ARTIST="Anna", ALBUM="Boats", DATE="2023-05-01"))
    assert document.format == "recording"
    assert document.text.split("\n") == [
        "Length: 0:01:23",
        "Title: Harbour",
        "Artist: Anna",
        "Album: Boats",
        "Date: 2023-05-01",
    ]
    assert (document.title, document.author, document.created) == ("Harbour", "Anna", "2023-05-01")


def test_a_recording_without_tags_has_its_length() -> None:
    sound = io.BytesIO()
    with wave.open(sound, "wb") as made:
        made.setnchannels(1)
        made.setsampwidth(1)
        made.setframerate(1000)
        made.writeframes(bytes(61_000))
    assert read_document("a.wav", sound.getvalue()).text == "Length: 0:01:01"


@pytest.mark.parametrize("name", ["a.mp3", "a.mp4", "a.flac", "a.wma", "a.ogg"])
def test_a_damaged_recording_is_refused_with_a_sentence(name: str) -> None:
    with pytest.raises(DocumentError, match="recording"):
        read_document(name, b"fLaC" + b"\xff" * 100)


@pytest.mark.parametrize("name", ["a.png", "a.mp3"])
def test_media_inside_other_files_are_not_read(name: str) -> None:
    source = SourceFile("outer.zip", b"x", ReadBudget(), _read)
    with pytest.raises(DocumentError, match="inside other files"):
        source.read_member(name, picture("PNG"))
