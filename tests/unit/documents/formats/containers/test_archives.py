import bz2
import gzip
import io
import lzma
import random
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Mapping

import py7zr
import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.documents.document import Document
from desktop_rag.documents.format_registry import read_document
from desktop_rag.documents.formats import source_file
from desktop_rag.documents.formats.containers import members
from desktop_rag.errors import DocumentError
from tests.unit.documents.formats.office.packages import pack, shown, texts

_FILES = {"lease.md": b"# Lease\n\nRent is due.", "old/notes.txt": b"Three months."}


def _tar(files: Mapping[str, bytes], mode: str = "w") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def _seven_zip(files: Mapping[str, bytes], password: str | None = None, *, plain_header: bool = False) -> bytes:
    buffer = io.BytesIO()
    with py7zr.SevenZipFile(buffer, "w", password=password) as archive:
        if plain_header:
            archive.set_encoded_header_mode(False)
        for name, data in files.items():
            archive.writestr(data, name)
    return buffer.getvalue()


def _zip(files: Mapping[str, bytes]) -> bytes:
    return pack({name: data.decode() for name, data in files.items()})


def test_a_zip_member_without_a_name_does_not_cost_the_others() -> None:
    packed = _zip({"x": b"hidden", **_FILES})
    central = packed.index(b"PK\x01\x02")
    nameless = packed[: central + 28] + b"\0\0\1\0" + packed[central + 32 :]  # the name becomes an extra field
    assert "Rent is due." in read_document("a.zip", nameless).text


def _labels(document: Document) -> list[str]:
    return [section.label for section in document.structure.sections]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.zip", _zip(_FILES)),
        ("a.tar", _tar(_FILES)),
        ("a.tar.gz", _tar(_FILES, "w:gz")),
        ("a.tgz", _tar(_FILES, "w:gz")),
        ("a.tar.bz2", _tar(_FILES, "w:bz2")),
        ("a.tar.xz", _tar(_FILES, "w:xz")),
        ("a.tar.zst", zstd.compress(_tar(_FILES))),
        ("a.7z", _seven_zip(_FILES)),
        ("wrong.zip", _seven_zip(_FILES)),
    ],
)
def test_each_member_is_a_section_with_its_name_as_heading(name: str, data: bytes) -> None:
    document = read_document(name, data)
    assert _labels(document) == [f"{name}!/lease.md", f"{name}!/old/notes.txt"]
    assert shown(document) == [
        ("HEADING", 1, "lease.md"),
        ("HEADING", 2, "# Lease"),
        ("PARAGRAPH", 0, "Rent is due."),
        ("HEADING", 1, "old/notes.txt"),
        ("PARAGRAPH", 0, "Three months."),
    ]
    assert [entry.title for entry in document.structure.outline] == list(_FILES)
    assert document.partial == ""


@pytest.mark.parametrize("packed", [gzip.compress, bz2.compress, lzma.compress, zstd.compress])
def test_a_compressed_file_is_read_by_its_content(packed: "type[bytes]") -> None:
    document = read_document("lease.md.gz", packed(b"# Lease"))
    assert (document.format, document.text) == ("markdown", "# Lease")


def test_nested_archives_are_labelled_with_the_whole_path() -> None:
    inner = _seven_zip({"c.txt": b"text"})
    outer = io.BytesIO()
    with zipfile.ZipFile(outer, "w") as archive:
        archive.writestr("b.tar.gz", _tar({"x/b.7z": inner}, "w:gz"))
    document = read_document("a.zip", outer.getvalue())
    assert _labels(document)[-1] == "a.zip!/b.tar.gz!/x/b.7z!/c.txt"
    assert document.structure.section_of(document.line_count) == "a.zip!/b.tar.gz!/x/b.7z!/c.txt"


def test_unread_members_are_listed_with_the_reason() -> None:
    files = {"a.txt": "text", "photo.psd": "x", "b.docx": "no", "empty.txt": "", "__MACOSX/._a.txt": "x"}
    document = read_document("a.zip", pack(files))
    assert [text for _, _, text in shown(document)] == [
        "a.txt",
        "text",
        "Not read",
        "photo.psd: Pictures (.psd) are not read yet",
        "b.docx: This file is damaged or not a Word document",
        "empty.txt: This file is empty",
    ]
    assert _labels(document) == ["a.zip!/a.txt", "a.zip"]


def test_encrypted_members_are_listed_and_the_document_is_partial() -> None:
    document = read_document("a.7z", _seven_zip({"secret.txt": b"x"}, password="p"))
    assert "secret.txt: protected by a password" in document.text
    assert document.partial == "1 of 1 files in this archive cannot be read: protected by a password."
    data = bytearray(pack({"secret.txt": "x", "open.txt": "y"}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(mark) + place] |= 1
    assert texts("a.zip", bytes(data)) == ["open.txt", "y", "Not read", "secret.txt: protected by a password"]


def test_an_archive_with_encrypted_names_is_refused_with_the_reason() -> None:
    buffer = io.BytesIO()
    with py7zr.SevenZipFile(buffer, "w", password="p", header_encryption=True) as archive:
        archive.writestr(b"x", "a.txt")
    with pytest.raises(DocumentError, match="protected by a password"):
        read_document("a.7z", buffer.getvalue())


_HOSTILE = "../../etc/passwd.txt", "/home/a.txt", "C:\\windows\\b.txt", "\u202etxt.exe.txt"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.zip", _zip(dict.fromkeys(_HOSTILE, b"text"))),
        ("a.tar", _tar(dict.fromkeys(_HOSTILE, b"text"))),
    ],
)
def test_names_of_members_are_only_labels(name: str, data: bytes) -> None:
    document = read_document(name, data)
    assert _labels(document)[0] == f"{name}!/../../etc/passwd.txt"
    assert document.text.count("text") == 4
    assert "\u202e" not in "".join(_labels(document)) + document.text


def test_member_names_of_a_7z_archive_are_not_used_as_paths() -> None:
    plain = _seven_zip({"xx/etc.txt": b"one"}, plain_header=True)
    renamed = plain.replace("xx/etc".encode("utf-16-le"), "../etc".encode("utf-16-le"))
    assert renamed != plain
    begin, size = 32 + int.from_bytes(plain[12:20], "little"), int.from_bytes(plain[20:28], "little")
    start = plain[12:28] + zlib.crc32(renamed[begin : begin + size]).to_bytes(4, "little")
    sound = plain[:8] + zlib.crc32(start).to_bytes(4, "little") + start + renamed[32:]
    assert _labels(read_document("a.7z", sound)) == ["a.7z!/../etc.txt"]


def test_member_names_in_unflagged_utf_8_are_decoded() -> None:
    data = pack({"K\u00fcndigung.txt": "text"})
    plain = bytearray(data)
    for mark, place in ((b"PK\x03\x04", 7), (b"PK\x01\x02", 9)):
        plain[plain.find(mark) + place] &= ~8 & 0xFF
    assert _labels(read_document("a.zip", bytes(plain))) == ["a.zip!/Kündigung.txt"]


def test_symbolic_links_in_archives_are_not_followed() -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        link = tarfile.TarInfo("passwords.txt")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    assert texts("a.tar", buffer.getvalue()) == ["Not read", "passwords.txt: only a link"]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as zipped:
        entry = zipfile.ZipInfo("passwords.txt")
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        zipped.writestr(entry, "/etc/passwd")
    assert texts("a.zip", packed.getvalue()) == ["Not read", "passwords.txt: only a link"]


def test_a_decompression_bomb_keeps_earlier_members_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_file, "_RATIO_IGNORED", 100_000)
    files = {"first.txt": b"What comes first is read.", "bomb.txt": b"a" * 5_000_000}
    for name, data in (("a.zip", _zip(files)), ("a.tar.gz", _tar(files, "w:gz")), ("a.7z", _seven_zip(files))):
        document = read_document(name, data)
        assert "What comes first is read." in document.text
        assert "unpacks to far more than its size" in document.partial
        assert len(document.text) < 1000


def test_a_compressed_bomb_is_truncated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_file, "_RATIO_IGNORED", 100_000)
    document = read_document("a.txt.gz", gzip.compress(b"a line of text\n" * 1_000_000))
    assert 90_000 < len(document.text) < 10_000_000
    assert document.partial == "This file unpacks to far more than its size; the rest of it was left out."


def test_archives_inside_archives_end_at_a_limit() -> None:
    data = b"text"
    for level in range(8):
        data = pack({"deep.txt": str(level)}) if level == 0 else _stored({"x.zip": data, "level.txt": b"%d" % level})
    document = read_document("a.zip", data)
    assert "level.txt" in document.text
    assert "x.zip: Files nested this deeply in other files are not read" in document.text
    assert document.partial.endswith("Files nested this deeply in other files are not read.")


def test_a_member_that_is_too_large_is_listed_as_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "MAX_FILE_BYTES", 2 * 1024**2)
    document = read_document("a.zip", _stored({"note.txt": b"kept", "huge.txt": b"x" * 3 * 1024**2, "song.mid": b"x"}))
    assert "kept" in document.text
    assert document.partial == "1 of 3 files in this archive cannot be read: too large: 3 MB."


def _stored(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def test_too_many_members_are_truncated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "MAX_ENTRIES", 5)
    document = read_document("a.zip", pack({f"{number}.txt": "text" for number in range(9)}))
    assert document.partial == "This archive has more than 5 files; the rest was left out."
    assert len(document.structure.sections) == 5


def test_a_truncated_archive_keeps_its_complete_members() -> None:
    noise = bytes(random.Random(1).choices(b"abcdefghij \n", k=20_000))
    files = {"a.txt": b"Rent is due.", "b.txt": noise}
    for name, data in (("a.zip", _zip(files)), ("a.tar", _tar(files)), ("a.tar.gz", _tar(files, "w:gz"))):
        document = read_document(name, data[: len(data) * 2 // 3])
        assert "Rent is due." in document.text
        assert "damage" in document.partial, name


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.gz", "a.7z", "a.rar"])
@pytest.mark.parametrize(
    "data", [b"not an archive", b"\x1f\x8b", b"PK\x03\x04", b"7z\xbc\xaf\x27\x1c\x00", b"Rar!\x1a\x07\x00"]
)
def test_files_that_are_not_archives_are_refused(name: str, data: bytes) -> None:
    with pytest.raises(DocumentError):
        read_document(name, data)


def test_an_empty_archive_is_refused_with_the_reason() -> None:
    with pytest.raises(DocumentError, match="This archive is empty"):
        read_document("a.zip", pack({}))


_ARCHIVES = [_zip(_FILES), _tar(_FILES), _tar(_FILES, "w:gz"), _seven_zip(_FILES), zstd.compress(_tar(_FILES))]


@given(st.sampled_from(_ARCHIVES), st.data())
def test_any_damage_yields_a_document_or_a_reason(archive: bytes, draw: st.DataObject) -> None:
    damaged = bytearray(archive[: draw.draw(st.integers(1, len(archive)))])
    for _ in range(draw.draw(st.integers(0, 4))):
        damaged[draw.draw(st.integers(0, len(damaged) - 1))] = draw.draw(st.integers(0, 255))
    try:
        document = read_document("a.zip", bytes(damaged))
    except DocumentError:
        return
    document.text.encode("utf-8")
