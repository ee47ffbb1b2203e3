"""Splits a message into its questions: when … and how long …, which … and why, several question marks."""

import re

from desktop_rag.agent.extractive.content_words import stems

MAX_QUESTIONS = 4  # searched separately; further ones are appended to the last

_ASKING = (
    "who whom whose what which when where why how",
    "wer wen wem wessen was welche welcher welches welchen wann wo woher wohin warum wieso weshalb wie wieviel",
    "qui quel quelle quels quelles quand où pourquoi comment combien",
    "quién quiénes qué cuál cuáles cuándo dónde cómo cuánto cuánta cuántos cuántas",
    "chi cosa quale quali quando dove perché quanto quanta quanti quante",
)
_BEFORE = "at by in on of from to for with since until under about into near an auf bei von mit seit bis zu für um"
_WORDS = "|".join(" ".join(_ASKING).split())
_ASKED = rf"(?:(?:{'|'.join(_BEFORE.split())})\s+)?(?:{_WORDS})\b"
_SENTENCE = re.compile(r"(?<=[?？])\s*(?=[^\s?？])")
_JOINT = re.compile(
    rf"\s*(?:[,;]\s*)?(?<!\w)(?:and|as well as|und|sowie|et|y|e|&)\s+(?:also\s+|then\s+)?(?={_ASKED}(?!\s+to\b))|"
    rf"\s*;\s*(?={_ASKED})",
    re.IGNORECASE,
)
# What belongs to the answer of the question before it: “… and by which sensor”.
_BESIDE = re.compile(r"(?:at|by|in|on|an|bei|in|von) (?:what|which|welche[mnrs]?) [\w-]+\W*", re.IGNORECASE)
_BARE = re.compile(rf"{_ASKED}(?:\s+(?:much|many|long|often|far|viel|viele|lange|oft))?", re.IGNORECASE)
_REFERS = re.compile(
    rf"(?P<asked>{_BARE.pattern}(?:\s+(?:high|big|large|old|hoch|groß|alt))?)\s+"
    r"(?:is|was|are|were|did|does|ist|war|sind|waren)\s+(?:it|that|this|they|he|she|es|das|er|sie)",
    re.IGNORECASE,
)
_WORD = re.compile(rf"\b(?:{_WORDS})\b", re.IGNORECASE)
_QUOTED = re.compile(r"(?<!\w)\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»")
_MOST_QUOTED = 256
_MASK = 0xE000  # of the private use area: one character for each quoted text
_MASKED = re.compile(r"[\uE000-\uE0FF]")
_GREETING = re.compile(
    r"(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|hallo|moin|guten (?:morgen|tag|abend)|bonjour|hola|ciao)"
    r"(?: there| all)?\s*[,.!:–-]+\s+)+(?=\w)",
    re.IGNORECASE,
)
_HAS_WORD = re.compile(r"\w")
_OBJECT_FIRST = re.compile(r"(.+?)\s((?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should)\s.+)")


def split(text: str) -> tuple[str, ...]:
    """Return the questions in `text` in order; a bare "why" gets the words of the question before it.

    What is quoted stays whole; a greeting before the first question is left out.
    """
    quoted: list[str] = []

    def masked(found: re.Match[str]) -> str:
        quoted.append(found[0])
        return chr(_MASK + len(quoted) - 1)

    line = " ".join(_MASKED.sub(" ", text).split())
    greeting = _GREETING.match(line)
    asked = _QUOTED.sub(masked, line[greeting.end() :] if greeting else line, _MOST_QUOTED)
    found: list[str] = []
    for sentence in _sentences(asked):
        for part in _completed(_parts(sentence.rstrip("?？ "))):
            if len(found) < MAX_QUESTIONS:
                found.append(part)
            else:
                found[-1] += f" {part}"
    return tuple(_MASKED.sub(lambda mask: quoted[ord(mask[0]) - _MASK], part) for part in found) or (text,)


def _sentences(text: str) -> list[str]:
    """Return the questions of a text; a statement is appended to the question before it."""
    found: list[str] = []
    for piece in _SENTENCE.split(text):
        asks = piece.endswith(("?", "？")) or not found
        if asks and _HAS_WORD.search(piece):
            found.append(piece)
        elif found:
            found[-1] += f" {piece}"
    return found


def _parts(sentence: str) -> list[str]:
    """Split a sentence at "and" between questions, but not between clauses on one subject (who built it and who …)."""
    parts = [""]
    position = 0
    for joint in _JOINT.finditer(sentence):
        part = sentence[position : joint.start()]
        asking = _WORD.search(sentence, joint.end())
        again = asking and asking[0].lower() in (word.lower() for word in _WORD.findall(part)[1:])
        beside = ";" not in joint[0] and _BESIDE.fullmatch(sentence, joint.end())
        if _HAS_WORD.search(part) and not again and not beside:
            parts[-1] += part
            parts.append("")
            position = joint.end()
    parts[-1] += sentence[position:]
    return parts


def _completed(parts: list[str]) -> list[str]:
    """Complete parts of question words by the words of their neighbours: when and where is it; and how much was it."""
    whole = list(parts)
    for index in range(len(parts) - 2, -1, -1):
        if _is_bare(parts[index]):
            whole[index] = f"{parts[index].strip(' ,')} {_without_asking(whole[index + 1])}"
    for index in range(1, len(parts)):
        refers = _REFERS.fullmatch(parts[index].strip(" ,.;"))
        if refers or _is_bare(parts[index]):
            rest = _OBJECT_FIRST.sub(r"\2 \1", _without_asking(whole[index - 1]))  # did the board choose the pump
            whole[index] = f"{refers['asked'] if refers else parts[index].strip(' ,')} {rest}"
    return [part.strip() for part in whole]


def _is_bare(part: str) -> bool:
    return bool(_BARE.fullmatch(part.strip(" ,.;"))) and not stems(part)


def _without_asking(part: str) -> str:
    asked = _BARE.match(part)
    return part[asked.end() :].strip() if asked else part
