"""Reads the metadata of sounds and films: title, people, album, date, length."""

import io
from datetime import timedelta

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.decoding.encodings import clean
from desktop_rag.documents.document import Document, Line, LineKind
from desktop_rag.documents.file_types import Format
from desktop_rag.documents.formats.media.avi import is_avi, read_avi, riff_facts
from desktop_rag.documents.formats.media.matroska import is_matroska, read_matroska
from desktop_rag.documents.formats.media.midi import is_midi, read_midi
from desktop_rag.documents.formats.source_file import SourceFile
from desktop_rag.errors import DocumentError, ProblemKind

_MAX_CHARACTERS = 4000  # per field
_FIELDS = {  # mutagen's name in every format: the name to show
    "title": "Title",
    "artist": "Artist",
    "albumartist": "Album artist",
    "album": "Album",
    "tracknumber": "Track",
    "composer": "Composer",
    "conductor": "Conductor",
    "performer": "Performer",
    "author": "Author",
    "genre": "Genre",
    "date": "Date",
    "language": "Language",
    "description": "Description",
    "comment": "Comment",
    "copyright": "Copyright",
}


def read_recording(source: SourceFile, kind: Format) -> Document:
    """Return the fields of a recording; raises `DocumentError` if it is damaged."""
    if source.depth:
        raise DocumentError("Sounds and films inside other files are not read.", ProblemKind.TYPE)
    if is_matroska(source.data):
        return read_matroska(source, kind)
    if is_midi(source.data):
        return read_midi(source, kind)
    if is_avi(source.data):
        return read_avi(source, kind)
    from mutagen import File, MutagenError

    data = io.BytesIO(source.data)
    data.name = source.name  # mutagen distinguishes formats with equal signatures by the name
    try:
        recording = File(data, easy=True)
    except (MutagenError, OSError, ValueError, KeyError, IndexError, TypeError) as error:
        raise DocumentError("This recording is damaged.", ProblemKind.DAMAGED) from error
    if recording is None:
        raise DocumentError("This recording is damaged or of an unsupported kind.", ProblemKind.DAMAGED)
    builder = DocumentBuilder(kind)
    seconds = getattr(recording.info, "length", 0.0)
    if seconds:
        builder.add(Line(f"Length: {timedelta(seconds=round(seconds))}", LineKind.FIELD))
    tags = {key: _text(value) for key, value in (recording.tags or {}).items() if key in _FIELDS}
    shown = riff_facts(source.data, source.budget) | {name: tags[key] for key, name in _FIELDS.items() if tags.get(key)}
    for name, text in shown.items():
        builder.add(Line(f"{name}: {text}", LineKind.FIELD))
    if not len(builder):
        raise DocumentError("This recording has no metadata.", ProblemKind.EMPTY)
    builder.title, builder.author = shown.get("Title", ""), shown.get("Artist", "") or shown.get("Author", "")
    builder.created = tags.get("date", "")[:10]
    return builder.build()


def _text(value: object) -> str:
    values = value if isinstance(value, list) else [value]
    return " ".join(clean("; ".join(map(str, values)))[:_MAX_CHARACTERS].split())
