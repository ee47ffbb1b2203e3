"""The documents cited in a conversation as a list, and for reference managers: BibTeX, RIS, CSL-JSON."""

import re

import msgspec

from desktop_rag.gui.conversation.export.exported_conversation import CitedWork, ExportedConversation
from desktop_rag.text.desktop_links import link_to
from desktop_rag.text.display import one_line

_TEX = {  # not \{: BibTeX counts it as a brace, so that one in a title would end the field
    "\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}",
    "%": r"\%", "&": r"\&", "$": r"\$", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
_AUTHORS = re.compile(r"\s*(?:;|\band\b|&)\s*")


def plain_reference(work: CitedWork) -> str:
    """Return a document as one line: author, year, title, file."""
    head = f"{work.author} ({work.year})" if work.author and work.year else work.author or work.year
    name = work.name if work.name != work.title else ""
    return one_line(". ".join(filter(None, (head, work.title, name))) + ".")


def as_bibtex(conversation: ExportedConversation) -> str:
    """Return the documents as BibTeX entries."""
    return "\n".join(map(_bibtex, conversation.works))


def _bibtex(work: CitedWork) -> str:
    fields = {
        "title": work.title,
        "author": " and ".join(_authors(work)),
        "year": work.year,
        "howpublished": work.name,
    }
    lines = [f"  {name} = {{{_tex(value)}}}," for name, value in fields.items() if value]
    if work.path:
        lines.append(f"  url = {{{_link(work)}}},")
        if not {"{", "}"} & set(work.path):  # BibTeX has no way to write one that is not TeX
            # As JabRef and Zotero write it: separators escaped, not TeX.
            lines.append("  file = {:" + re.sub(r"([\\:;])", r"\\\1", one_line(work.path)) + ":},")
    return "\n".join((f"@misc{{{work.key},", *lines, "}", ""))


def as_ris(conversation: ExportedConversation) -> str:
    """Return the documents as RIS records."""
    lines: list[str] = []
    for work in conversation.works:
        lines += ["TY  - GEN", f"ID  - {work.key}", f"TI  - {one_line(work.title)}"]
        lines += [f"AU  - {one_line(author)}" for author in _authors(work)]
        lines += [f"PY  - {work.year}"] if work.year else []
        lines += [f"L1  - {one_line(work.path)}", f"UR  - {_link(work)}"] if work.path else []
        lines += ["ER  - ", ""]
    return "\r\n".join(lines)


def as_csl_json(conversation: ExportedConversation) -> str:
    """Return the documents as CSL-JSON."""
    return msgspec.json.format(msgspec.json.encode([_csl(work) for work in conversation.works])).decode()


def _csl(work: CitedWork) -> dict[str, object]:
    item: dict[str, object] = {"id": work.key, "type": "document", "title": work.title, "note": work.name}
    if work.path:
        item["URL"] = _link(work)
    if work.author:
        item["author"] = [{"literal": author} for author in _authors(work)]
    if work.year:
        item["issued"] = {"date-parts": [[int(work.year)]]}
    return item


def _link(work: CitedWork) -> str:
    """Return the link that shows the document in the window."""
    return link_to(work.path, sha256=work.sha256)


def _authors(work: CitedWork) -> list[str]:
    return [author for author in _AUTHORS.split(work.author) if author]


def _tex(text: str) -> str:
    return "".join(_TEX.get(char, char) for char in one_line(text))
