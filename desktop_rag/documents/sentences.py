"""Finds the sentences of a text: one fast expression proposes ends, a few rules of language reject the wrong ones.

Newlines inside a paragraph are wrapping; an empty line, a line that stops far before the margin, or a
line too long to have been wrapped ends a sentence.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

MAX_CHARACTERS = 1200  # the encoder reads 256 tokens, about as much

_WIDEST_PAGE, _NARROWEST_PAGE = 200, 40  # characters
_WELL_SHORT = 0.62  # of the widest line, for type of uneven width

Range = tuple[int, int]

_END = re.compile(
    r"""[。！？｡︒]+[」』”’）)】》]*                                   # East Asian: no space follows
      | (?:[.!?…؟۔।॥։።]+|\.(?:\s\.){2,})                           # a stop, or . . .
        (?:["'”’»›)\]}*_]|(?<=[.!?…])\[\d{1,3}\])*(?=\s|$)          # closing signs and footnote numbers
    """,
    re.VERBOSE,
)
_NEXT = re.compile(r"\s*[\"'“‘„«‹(\[{¿¡*_–—-]*\s?(\w+)?")
_WORD = re.compile(r"(?:(?<=[\s(\[{\"'“‘„«‹/–—-])|^)[\w.’'&-]+$")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]$")
_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n)+")
_CLAUSE = re.compile(r"[;:,،；：，、](?=\s|[^\x00-\u2fff])|\s[–—]\s|\s(?=\()")
_ROMAN = re.compile(r"[IVXLC]{2,}$")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NEVER = _words(  # never the end: a name or number follows
    "mr mrs ms mx dr prof st ste sr sra srta mme mlle mm hr fr frl dott dott.ssa sig sig.ra ing arch avv rev hon gen "
    "col lt sgt capt cmdr maj sen rep gov pres msgr mgr dipl dipl.-ing h.c vgl bzgl bzw ca gem ggf inkl insb max min "
    "sog z.b z.t d.h i.d.r i.s.d u.u o.g s.o s.u evtl zzgl abs art nr no nos núm num pág págs pag pagg p pp s ss vol "
    "vols fig figs eq eqs sec secs ch chap tab app ref refs approx resp cf e.g eg i.e ie viz vs v ed eds hrsg hg übers "
    "tel abb kap bd bde str arts lit op cit loc n.b nb p.ex ex c.-à-d càd env av apr.j.-c es dep dept est incl excl "
    "misc tit sez lib cod d.lgs aprox máx mín ud uds vd vds dña d avda c.p ph т.е т.к г ул д стр рис см англ им"
)
_PERHAPS = _words(  # may end a sentence: the next word decides
    "etc usw usf ecc al inc ltd co corp bros plc llc gmbh a.m p.m am pm u.s u.k u.n e.u ph.d m.d b.a m.a d.c u.s.a "
    "jr esq mio mrd tsd jan feb mar apr jun jul aug sep sept oct okt nov dec dez u.ä o.ä u.dgl v.chr n.chr a.d b.c "
    "т.д т.п др"
)
_STARTERS = _words(
    "the a an this that these those it he she they we you i in on at for but and however as if when while after before "
    "there here his her their our its my one some many most all no not what who why how where with by from to since "
    "although though thus therefore moreover furthermore meanwhile finally first second also both each such so then "
    "der die das ein eine er sie es wir ich ihr dies diese dieser dieses im am auf mit für aber und wenn als nach vor "
    "le la les un une il elle ils elles nous vous je ce cette ces dans sur mais et pour el los las una él ella en "
    "pero y si cuando lo gli uno lui lei noi voi questo questa nel ma e per se quando o os as um uma de het een en dat"
)
_MONTHS = _words(
    "januar jänner februar märz april mai juni juli august september oktober november dezember jahrhundert jh januari "
    "ledna února března dubna května června července srpna září října listopadu prosince tammikuuta maj"
)


def split_sentences(text: str) -> list[Range]:
    """Return (start, end) of each sentence; together they hold every character that is not white space."""
    sentences: list[Range] = []
    start = 0
    for gap in _BLANK_LINES.finditer(text):
        sentences.extend(sentences_of_block(text, start, gap.start()))
        start = gap.end()
    sentences.extend(sentences_of_block(text, start, len(text)))
    return joined_to_words(text, sentences)


def sentences_of_block(text: str, start: int, end: int) -> Iterator[Range]:
    """Yield the sentences of lines without an empty one between them; none is too long to encode."""
    for paragraph in _wrapped(text, start, end):
        for sentence in _of_paragraph(text, *paragraph):
            yield from limited(text, *sentence)


def limited(text: str, start: int, end: int) -> Iterator[Range]:
    """Yield a trimmed range, cut at clause borders (else at a space, else anywhere) where it is too long."""
    start, end = _trimmed(text, start, end)
    while end - start > MAX_CHARACTERS:
        cut = _cut(text, start)
        yield _trimmed(text, start, cut)
        start, end = _trimmed(text, cut, end)
    if start < end:
        yield start, end


def has_words(text: str, start: int, end: int) -> bool:
    """Return whether a range is more than a ruler, a bracket or a stray mark."""
    return end - start > 80 or any(map(str.isalnum, text[start:end]))


def joined_to_words(text: str, sentences: list[Range]) -> list[Range]:
    """Join each range without a letter or digit to the sentence before it."""
    joined: list[Range] = []
    for start, end in sentences:
        if joined and end - joined[-1][0] <= MAX_CHARACTERS and not has_words(text, start, end):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _cut(text: str, start: int) -> int:
    low, high = start + MAX_CHARACTERS // 3, start + MAX_CHARACTERS
    cut = 0
    for clause in _CLAUSE.finditer(text, low, high):
        cut = clause.end()
    if cut:
        return cut
    space = max(text.rfind(" ", low, high), text.rfind("\n", low, high))
    return space if space > low else high


def _wrapped(text: str, start: int, end: int) -> Iterator[Range]:
    """Yield the parts of a block without empty lines that only wrapping divides."""
    if text.find("\n", start, end) < 0:
        yield start, end
        return
    lines = text[start:end].split("\n")
    margin = max(map(len, lines))
    position = start
    for line, following in pairwise(lines):
        position += len(line) + 1
        if _is_hard(line, following, margin):
            yield start, position
            start = position
    yield start, end


def _is_hard(line: str, following: str, margin: int) -> bool:
    """Return whether a line was ended on purpose.

    One that could have taken the next one's first word and more was not wrapped; neither was one that is
    longer than any page is wide; but a small letter always goes on.
    """
    following = following[:100].lstrip()
    if following[:1].islower():
        return False
    word = following.find(" ") if " " in following else len(following)
    return len(line) > _WIDEST_PAGE or (margin >= _NARROWEST_PAGE and len(line) + 1 + word < _WELL_SHORT * margin)


def _of_paragraph(text: str, start: int, end: int) -> Iterator[Range]:
    for match in _END.finditer(text, start, end):
        stop = match.end()
        if stop < end and (text[match.start()] in "。！？｡︒।॥" or _ends(text, start, match.start(), stop, end)):
            yield start, stop
            start = stop
    if start < end:
        yield start, end


def _ends(text: str, start: int, stop: int, after: int, end: int) -> bool:
    """Return whether the sign at `stop` ends the sentence that began at `start`."""
    following = _NEXT.match(text, after, end)
    word = (following[1] or "") if following else ""
    if word and word[0].islower():
        return False
    if text[stop] != "." or text[stop + 1 : after].startswith("."):
        return True
    before = _WORD.search(text, max(start, stop - 24), stop)
    last = before[0].lstrip("'’\"") if before else ""
    return _full_stop_ends(last, word, at_start=before is not None and before.start() <= _skip(text, start))


def _full_stop_ends(last: str, word: str, *, at_start: bool) -> bool:
    lower = last.lower()
    if lower in _NEVER:
        return lower in ("no", "max", "min", "art", "ex", "d", "es") and word.lower() in _STARTERS
    if lower in _PERHAPS:
        return not word or word.lower() in _STARTERS
    if last.isdigit():
        return not (at_start or (len(last) <= 2 and word.lower() in _MONTHS))
    if _INITIALS.match(last):
        return word.lower() in _STARTERS and len(word) > 1 and not (at_start and len(last) == 1)
    return not (_ROMAN.match(last) and at_start)


def _skip(text: str, start: int) -> int:
    while start < len(text) and text[start].isspace():
        start += 1
    return start


def _trimmed(text: str, start: int, end: int) -> Range:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end
