"""The names of the fields of the keyword index; queries use them without Whoosh."""

CHUNK = "chunk"
CONTENT = "content_id"
TITLE = "title"
HEADINGS = "headings"
TEXT_EXACT = "text"
TEXT_STEM = "stem"
