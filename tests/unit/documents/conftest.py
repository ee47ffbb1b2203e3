from hypothesis import strategies as st

from desktop_rag.documents.builder import DocumentBuilder
from desktop_rag.documents.document import Document, Line, LineKind

_TEXTS = st.one_of(
    st.sampled_from(
        ["Rent is due monthly.", "Dr. No said so", "}", "===", "解約の予告期間は三か月です。", "- x, y", "a" * 3000]
    ),
    st.text("ab A.。,:\t(日", max_size=60).map(lambda text: text.replace("\n", " ")),
    st.lists(st.sampled_from(["rent", "due", "lease.", "Tenant", "pays,", "month!", "42"]), max_size=200).map(" ".join),
)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Return any document a reader may make: all kinds of lines, empty ones, giant ones, none at all."""
    builder = DocumentBuilder(draw(st.sampled_from(["text", "markdown", "pdf", "code"])))
    for text in draw(st.lists(_TEXTS, max_size=25)):
        kind = draw(st.sampled_from(LineKind)) if text.strip() else LineKind.BLANK
        if text.strip() and kind is LineKind.BLANK:
            kind = LineKind.PARAGRAPH
        builder.add(Line(text, kind, draw(st.integers(0, 3))))
    return builder.build()
