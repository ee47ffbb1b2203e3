"""The state of a file as SQL over the tables `file` and `content`; nothing else decides it.

Pictures of text are a state of their own: a content whose pages all wait for OCR, with at most a few words beside the
pictures (a stamp, a page number, the size of a photograph), or in whose pages OCR found no word.
"""

from desktop_rag.documents.picture_notes import NOTHING_FOUND, PART_WAITING, WAITING
from desktop_rag.index.records import FileState

FEW_WORDS = 20  # a page

IS_PICTURES = (
    "(content.page_count > 0 AND (content.word_count = 0 OR content.unread_pages >= content.page_count "
    f"AND content.word_count <= {FEW_WORDS} * content.page_count))"
)
# A `FileState`; a file that waits to be read again is queued.
STATE = (
    "CASE WHEN pending = 1 OR content.state IN ('arriving', 'stored', 'leaving') THEN 'queued' "
    "WHEN content.id IS NULL THEN CASE outcome WHEN '' THEN 'queued' ELSE outcome END "
    f"WHEN {IS_PICTURES} THEN '{FileState.PICTURES}' ELSE content.state END"
)
# Why not all of a content can be found; "" if it can.
MISSING = (
    f"CASE WHEN content.id IS NULL THEN '' WHEN {IS_PICTURES} "
    f"THEN CASE WHEN content.unread_pages > 0 THEN '{WAITING}' ELSE '{NOTHING_FOUND}' END "
    "WHEN content.partial != '' THEN content.partial "
    f"WHEN content.unread_pages > 0 THEN '{PART_WAITING}' ELSE '' END"
)
