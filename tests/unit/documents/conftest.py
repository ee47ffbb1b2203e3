from hypothesis import strategies as st

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document, Line, LineKind

_TEXTS = st.one_of(
    st.sampled_from(
        ["Rent is due monthly.", "Dr. No said so", "}", "===", "解約の予告期間は三か月です。", "- x, y", "a" * 3000]
    ),
    st.sampled_from(["Name\tRent\tDue", "ผู้เช่าต้องชำระค่าเช่า ทุกเดือน", "| a | b |", "def rent(x):", "\\item one"]),
    st.text("ab A.。,:\t(日", max_size=60).map(lambda text: text.replace("\n", " ")),
    st.lists(st.sampled_from(["rent", "due", "lease.", "Tenant", "pays,", "month!", "42"]), max_size=200).map(" ".join),
)
_PARTS = st.sampled_from(["", "Slide 2", "Budget!A5:D5", "Budget!A6:D6", "a.zip!/b.txt", "0:01:02"])


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Return any document that a reader may build: all kinds of lines and sections, empty and huge lines, no lines."""
    builder = DocumentBuilder(draw(st.sampled_from(["text", "markdown", "pdf", "code", "data", "table", "latex"])))
    for text in draw(st.lists(_TEXTS, max_size=25)):
        kind = draw(st.sampled_from(LineKind)) if text.strip() else LineKind.BLANK
        if text.strip() and kind is LineKind.BLANK:
            kind = LineKind.PARAGRAPH
        if draw(st.integers(0, 4)) == 0:
            builder.add_outline_entry(draw(st.integers(1, 4)), draw(st.sampled_from(["Rent", "def rent", ""])))
        if draw(st.integers(0, 4)) == 0:
            builder.begin_section(draw(_PARTS))
        builder.add(Line(text, kind, draw(st.integers(0, 3))))
    return builder.build()
