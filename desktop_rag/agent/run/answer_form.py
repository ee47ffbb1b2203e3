"""Brings an answer into plain text: models wrap it in JSON or tokens of a role, write it twice, or cite in footnotes.

What is no answer at all becomes an empty text: a page of a web server, a tool result or instructions written out again.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from desktop_rag.agent.citations.references import ANY_REFERENCE
from desktop_rag.agent.citations.written.cited_places import SOURCE_WORD, parse_places
from desktop_rag.agent.prompts import DATA_NOTICE, END_OF_DATA
from desktop_rag.agent.run.ungrounded import NOT_FOUND_MARK
from desktop_rag.agent.small_talk import is_small_talk
from desktop_rag.llm.json_value import JsonObject, as_list, as_object, as_text, decode_json
from desktop_rag.llm.written_calls import ANSWERS

_LONGEST = 20_000  # characters; a longer answer stays as it is
_SHORT = 100  # characters of a text that says only that nothing was found
_LEAST_TWICE = 60  # characters of a text whose repetition says nothing
_LEAST_ECHO = 40  # characters of instructions
_MAX_NOTE = 600  # characters of a footnote
_ROLE = r"<\|start_header_id\|>{0}<\|end_header_id\|>|<\|im_start\|>{0}|<start_of_turn>{0}|<\|{0}\|>"
_OPENING = re.compile(rf"\s*(?:(?:{_ROLE.format('(?:assistant|model)')}|\[/INST\])\s*)*(?:Assistant:\s+)?")
_NEXT_TURN = re.compile(
    rf"\n?(?:{_ROLE.format('user')}|\[INST\])"
    rf"|(?:<\|(?:im_end|eot_id|end)\|>|<end_of_turn>)\s*(?:{_ROLE.format('(?:assistant|model)')})"
    r"|\n[ \t]*(?:User|Human):(?=[^\n\[]*\n{1,3}(?:Assistant|AI):)"
)
_THOUGHTS = re.compile(
    r"\s*(?:(?:```|~~~)(?:think(?:ing)?|thoughts?|reasoning)\s*\n.*?\n(?:```|~~~)|\[THINK\].*?\[/THINK\])\s*(?=\S)",
    re.DOTALL,
)
# Names of channels where a server has dropped the tokens around them: “… says so.assistantfinalThe rent is …”.
_CHANNEL = re.compile(r"(?:\A\s*(?:assistant)?final|.*assistantfinal)(?=[^\W\d_a-zß-ÿ]|[“\"'*#\[(>|-])", re.DOTALL)
_FENCED = re.compile(r"\s*(?:```|~~~)(?:json|markdown|md|te?xt)?\s*\n(.*?)\n?(?:```|~~~)\s*", re.DOTALL)
# A reference, and the mark-up that may stand around it: its brackets alone say that it is a citation.
_CITED = (
    rf"(?P<cited>\[[^\[\]\n]{{0,300}}?{ANY_REFERENCE.pattern}[^\[\]\n]{{0,1000}}\]"
    rf"|{ANY_REFERENCE.pattern}(?:,? ?L\d{{1,9}}(?: ?[-–] ?L?\d{{1,9}})?)?)"
)
_AROUND = tuple(
    re.compile(pattern.format(rf"\s*{_CITED}\s*", _CITED), re.IGNORECASE)
    for pattern in (
        r"<(?P<tag>[a-z]{{1,10}})(?: [^<>\n]{{0,100}})?>{0}</(?P=tag)>",
        r"(?P<mark>\*{{1,3}}|_{{1,3}}|`+){0}(?P=mark)",
        r"(?:\\[a-z]{{1,10}} ?)?\{{{0}\}}",
        r"\$\^?{0}\$",
        rf"\[{SOURCE_WORD}(?: \d{{{{1,2}}}})?:?{{0}}(?::[^\[\]\n]{{{{0,200}}}})?\]",
        r"\[{0}\]",
        r"{1}\([^()\s]{{1,300}}\)",  # a link whose label is the reference
    )
)
_DEPTH = 3  # of such mark-up in other
_LABELLED = re.compile(rf"\[([^\[\]\n]{{1,200}})\]\(\s*(?:cite:)?\s*{_CITED}\s*\)", re.IGNORECASE)
_NUMBERED_FILE = re.compile(rf"\[{SOURCE_WORD} \d{{1,2}}:[ ]?(?=[^\[\]\n]{{1,300}}\])", re.IGNORECASE)
_RAISED = re.compile(r"<sup>\s*\[?\^?(\d{1,2})\]?\s*</sup>", re.IGNORECASE)
_TEXT_KEYS = ("answer", "final_answer", "response", "output", "text", "content", "statement", "claim", "claims")
_SOURCE_KEYS = ("citations", "citation", "sources", "source", "references", "evidence")
_RESULT_KEYS = ("results", "passages", "documents", "chunks", "hits")
_PAGE = re.compile(r"\s*(?:<!doctype html|<html[\s>])", re.IGNORECASE)
_NOTICE = re.escape(DATA_NOTICE.format(end="\0")).replace("\0", r"[^”\n]{0,40}")
_ENDS = END_OF_DATA.format(code="[0-9a-f]{8}")
# A tool result written out: as a whole, or from where its notice or its lines begin. A quoted notice is none.
_RESULT = re.compile(
    rf"^{_NOTICE}\s*?\n(?:.*?^{_ENDS}[ \t]*$|(?=\s*(?:\[?turn\d|\d+: )).*)|^{_ENDS}[ \t]*$", re.M | re.S
)
_LINES = re.compile(r"^\d{1,7}: ", re.M)
_NOTHING = re.compile(
    r"[\W_]*(?:(?:the |final )*(?:answer|antwort)(?: is| lautet)?)?[\W_]*(?:not found|nicht gefunden|non trouvé"
    r"|introuvable|no encontrado|non trovato|não encontrado|niet gevonden|未找到|没有找到|見つかりません)[\W_]*",
    re.IGNORECASE,
)
_MARK = re.compile(r"\[\^?(\d{1,2})\](?!\()|([¹²³⁴-⁹])")
_NOTE = re.compile(r"[ \t]*(?:[-*] )?(?:\[\^?(\d{1,2})\]:?|([¹²³⁴-⁹])|(\d{1,2})\.)[ \t]+(\S.*)")
_NOTES_HEADING = re.compile(
    r"[ \t#*_]*(?:sources?|references?|citations?|footnotes?|quellen|belege|fuentes|来源)[ \t]*:?[ \t*_]*",
    re.IGNORECASE,
)
_SUPERSCRIPTS = str.maketrans("¹²³⁴⁵⁶⁷⁸⁹", "123456789")


def plain_answer(raw: str, question: str, instructions: Iterable[str]) -> str:
    """Return an answer without its wrapping; empty if it is none, or only repeats the question or `instructions`."""
    if len(raw) > _LONGEST:
        return raw
    text = _own_turn(raw)
    if _RESULT.search(text):
        text = _RESULT.sub("", text).strip()
        text = "" if _LINES.search(text) else text
    if not text or _PAGE.match(text) or _repeats(text, question, instructions):
        return ""
    if "json" not in question.lower():
        text = _unwrapped(text)
    if len(text) <= _SHORT and _NOTHING.fullmatch(text):
        return NOT_FOUND_MARK
    return _with_footnotes(_with_bare_citations(_once(text)))


def _own_turn(raw: str) -> str:
    """Return what stands after the tokens of a role and thoughts, before a turn that the model writes for the user."""
    opening = _OPENING.match(raw)
    text = raw[opening.end() :] if opening and opening[0].strip() else raw
    for before in (_THOUGHTS, _CHANNEL):
        text = text[found.end() :] if (found := before.match(text)) else text
    following = _NEXT_TURN.search(text)
    return text[: following.start()].rstrip() if following and text[: following.start()].strip() else text


def _repeats(text: str, question: str, instructions: Iterable[str]) -> bool:
    words = _words(text)
    if " " in words and words == _words(question) and not is_small_talk(question):  # one word may be the answer
        return True
    return len(words) >= _LEAST_ECHO and any(words in _words(each) for each in instructions)


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _unwrapped(text: str) -> str:
    """Return the answer inside of JSON, with its sources, nothing of a search's result, else the text."""
    fenced = _FENCED.fullmatch(text)
    inner = (fenced[1] if fenced else text).strip()
    if not inner.startswith(("{", "[")):
        return inner if ANY_REFERENCE.search(inner) else text
    try:
        value = decode_json(inner)
    except ValueError:
        return text
    fields = as_object(value)
    if as_text(fields.get("name")) in ANSWERS:
        fields = as_object(fields.get("arguments")) or as_object(fields.get("parameters"))
    numbered = fields if all(map(str.isdecimal, fields)) else {}
    if isinstance(value, list):
        numbered = {str(as_object(each).get("number", number)): each for number, each in enumerate(value, 1)}
    if numbered:
        statements = {number: _stated(each) for number, each in numbered.items()}
        return "\n".join(map(". ".join, statements.items())) if all(statements.values()) else text
    if any(as_list(fields.get(key)) for key in _RESULT_KEYS):
        return ""
    return _stated(fields) or text


def _stated(value: object) -> str:
    """Return the text of a string or of an object, with the sources that it names; empty if there is none."""
    if not isinstance(value, dict):
        return as_text(value).strip()
    fields = as_object(value)
    answer = next((said for key in _TEXT_KEYS if (said := _said(fields.get(key)))), "")
    if not answer or ANY_REFERENCE.search(answer):
        return answer
    named = (each for key in _SOURCE_KEYS for each in as_list(fields.get(key)) or [fields.get(key)])
    return " ".join((answer, *filter(None, map(_citation, named))))


def _said(value: object) -> str:
    if isinstance(value, list):
        return "\n".join(f"- {said}" for each in value if (said := _stated(each)))
    return as_text(value).strip()


def _citation(source: object) -> str:
    """Return a source that a JSON object names as a citation; empty if it names none."""
    if isinstance(source, dict):
        parts: JsonObject = source
        lines = next((str(parts[key]) for key in ("lines", "line") if key in parts), "")
        quote = next((said for key in ("quote", "text") if (said := as_text(parts.get(key)))), "")
        names = (as_text(value) for value in parts.values())
        name = next((each for each in names if ANY_REFERENCE.search(each)), "")
        source = " ".join(filter(None, (name, f"L{lines}" if lines[:1].isdigit() else lines, quote and f'"{quote}"')))
    text = as_text(source).strip().removeprefix("[").removesuffix("]")
    return f"[{text}]" if ANY_REFERENCE.match(text) else ""


def _once(text: str) -> str:
    """Return a text that is written several times as one."""
    for separator in ("\n\n", "\n"):
        parts = [part.strip() for part in text.split(separator) if part.strip()]
        for times in range(2, min(len(parts), 6) + 1):
            size = len(parts) // times
            if size * times == len(parts) and parts[:size] * times == parts:
                whole = separator.join(parts[:size])
                return whole if len(whole) >= _LEAST_TWICE else text
    return text


def _with_bare_citations(text: str) -> str:
    """Return a text whose citations have brackets around them and nothing else."""
    text = _LABELLED.sub(lambda found: f"{found[1]} {_bare(found)}", text)
    text = _NUMBERED_FILE.sub("[", text)
    for _ in range(_DEPTH):
        for around in _AROUND:
            text = around.sub(_bare, text)
    return text


def _bare(found: re.Match[str]) -> str:
    return found["cited"] if found["cited"].startswith("[") else f"[{found['cited']}]"


def _with_footnotes(text: str) -> str:
    """Return a text with each citation where its number stands instead of in a list at the end."""
    lines = text.rstrip().split("\n")
    notes: dict[str, str] = {}
    end = len(lines)
    while end and (not lines[end - 1].strip() or (note := _NOTE.fullmatch(lines[end - 1]))):
        if lines[end - 1].strip() and note:
            notes[(note[1] or note[2] or note[3]).translate(_SUPERSCRIPTS)] = _bracketed(note[4])
        end -= 1
    if not notes or not all(notes.values()):
        return text
    if end and _NOTES_HEADING.fullmatch(lines[end - 1]):
        end -= 1
    body = _RAISED.sub(r"[\1]", "\n".join(lines[:end]).rstrip())
    marks = [_number(mark) for mark in _MARK.finditer(body)]
    if not marks or not set(marks) <= set(notes):
        return text
    return "".join(_replaced(body, notes))


def _replaced(body: str, notes: Mapping[str, str]) -> Iterator[str]:
    end = 0
    for mark in _MARK.finditer(body):
        before = body[end : mark.start()]
        yield before
        yield ("" if before.endswith((" ", "\n")) else " ") + notes[_number(mark)]
        end = mark.end()
    yield body[end:]


def _number(mark: re.Match[str]) -> str:
    return (mark[1] or mark[2]).translate(_SUPERSCRIPTS)


def _bracketed(note: str) -> str:
    """Return a footnote as a citation; empty if it names neither a reference nor a place in a file."""
    note = note.strip()
    if len(note) > _MAX_NOTE:
        return ""
    if found := re.match(r"\[([^\[\]]+)\]", note):
        note = f"{found[1]} {note[found.end() :].strip()}".strip()
    return f"[{note}]" if ANY_REFERENCE.match(note) or parse_places(note) else ""
