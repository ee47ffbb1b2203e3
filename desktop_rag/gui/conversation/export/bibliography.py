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
_AND = re.compile(r"\s*(?:,\s*(?:and|&)\s|\band\b|&)\s*")
_ORGANISATION = re.compile(
    r"(?i)\b(?:gmbh|(?-i:AG|KG|OHG|SE|SA|BV|NV|Co)|inc|ltd|llc|llp|plc|corp|corporation|company|companies|sons|brothers|group|holding"
    r"|department|ministry|ministerium|office|agency|authority|bureau|commission|committee|council|board|court|bank"
    r"|university|universität|institute|institut|school|college|academy|laboratory|center|centre|museum|library"
    r"|foundation|stiftung|association|society|verein|union|federation|services?|partners?|e\.\s?v|s\.a|b\.v|n\.v)\b"
)
_ADDRESS = re.compile(r"\s*<[^<>\s]+@[^<>\s]+>")  # behind the name of a mail's sender
_SUFFIX = re.compile(r"(?i)(?:jr|sr|ph\.? ?d|m\.? ?d|ii|iii|iv|esq|m\.? ?sc|mba)\.?")


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
        "author": "",
        "year": work.year,
        "howpublished": work.name,
        "note": work.place,
    }
    written = {name: _tex(value) for name, value in fields.items()}
    # Braces keep an organisation whole.
    authors = (f"{{{_tex(each)}}}" if _ORGANISATION.search(each) else _tex(each) for each in _authors(work))
    written["author"] = " and ".join(authors)
    lines = [f"  {name} = {{{value}}}," for name, value in written.items() if value]
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
        lines += [f"N1  - {work.place}"] if work.place else []
        lines += [f"L1  - {one_line(work.path)}", f"UR  - {_link(work)}"] if work.path else []
        lines += ["ER  - ", ""]
    return "\r\n".join(lines)


def as_csl_json(conversation: ExportedConversation) -> str:
    """Return the documents as CSL-JSON."""
    return msgspec.json.format(msgspec.json.encode([_csl(work) for work in conversation.works])).decode()


def _csl(work: CitedWork) -> dict[str, object]:
    item: dict[str, object] = {"id": work.key, "type": "document", "title": work.title}
    item["note"] = ", ".join(filter(None, (work.name, work.place)))
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
    """Return the authors, divided as people write them; an organisation is one, whatever its name holds."""
    named = _ADDRESS.sub("", work.author) or work.author  # an address alone is all there is
    parts = [part.strip('" ') for part in named.split(";") if part.strip('" ')]
    return [author for part in parts for author in ([part] if _ORGANISATION.search(part) else _people(part))]


def _people(text: str) -> list[str]:
    people: list[str] = []
    for part in filter(None, map(str.strip, _AND.split(text))):
        names = [name.strip() for name in part.split(",") if name.strip()]
        apart = len(names) > 1 and all(" " in name and not _SUFFIX.fullmatch(name) for name in names)
        people += names if apart else [part]  # not “Doe, Jane”
    return people


def _tex(text: str) -> str:
    return "".join(_TEX.get(char, char) for char in one_line(text))
