"""Splits text into sentences: one fast expression proposes ends, rules per language reject the wrong ones.

Newlines inside a paragraph are wrapping; an empty line, a line that ends far before the margin, or a line too long
to have been wrapped ends a sentence. Thai and Lao mark sentence ends only with a space, which they also use elsewhere:
there a space ends a sentence after about as many letters as a sentence has.
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

from desktop_rag.text.language_profiles import CYRILLIC, GREEK, LATIN

# Estimates the sentence encoder's token count of a text without loading its tokenizer.

# Fitted to the WordPiece vocabulary of all-MiniLM-L6-v2: an English word is one piece and its tenth letter
# begins another; digits come in twos or threes; other alphabets fall apart into letters, or pieces of two.
_PIECE = re.compile(
    r"[A-Za-z]{1,9}|\d{1,3}|[\u0370-\u052f\u0590-\u06ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\d_]{1,2}|[^\w\s]|_"
)
_AS_ESTIMATED = ("en", "vi")
_OTHER_LATIN = 1.5  # relative to English: words of these languages are split into more pieces
_HANGUL = 1.8


# Classes of characters. A token begins where the class has a bit that the one before has not, and at `_BEGINS`.
_LETTER, _DIGIT, _SINGLE, _FOREIGN, _BEGINS = 1, 2, 0x84, 0x88, 0x80
_WINDOW = 1 << 15  # characters
_SURE = int.from_bytes(bytes([_BEGINS]) * _WINDOW, "little")
_RUNS = ((_LETTER, 9), (_DIGIT, 3))  # characters of one token
_AS_CLASSES = "desktop_rag.as_classes"  # encodes what is no ASCII as its class


def _class(character: str) -> int:
    if character.isspace():
        return 0
    if character.isascii() and character.isalpha():
        return _LETTER
    if character.isdecimal():
        return _DIGIT
    if character.isalnum():  # the letters of most alphabets are one token with the next letter
        return _FOREIGN if len(_PIECE.findall(f"{character}a")) == 1 else _SINGLE
    return _BEGINS


_CLASSES = bytes(_class(chr(byte)) if byte < _BEGINS else byte for byte in range(256))
_PLAIN = {0: ord(" "), _DIGIT: ord("0")}


@lru_cache(maxsize=1 << 12)
def _classes(letters: str) -> bytes:
    return bytes(_PLAIN.get(kind, kind) for kind in map(_class, letters))


def _encoded(error: UnicodeError) -> tuple[bytes, int]:
    assert isinstance(error, UnicodeEncodeError)
    return _classes(error.object[error.start : error.end]), error.end


codecs.register_error(_AS_CLASSES, _encoded)


def estimate_tokens(text: str) -> int:
    """Return the approximate token count of `text`; within a fifth of the truth on English prose."""
    return len(_PIECE.findall(text))


class TokenCounts:
    """The `estimate_tokens` of the parts of a text, one after the other: in a fraction of the time."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._begins, self._first, self._last = b"", 0, 0  # of the characters of a window, and its range

    def of(self, start: int, end: int) -> int:
        """Return the approximate token count of a part of the text."""
        if start < self._first or end > self._last:
            if end - start > _WINDOW:
                return estimate_tokens(self._text[start:end])
            window = self._text[start : start + _WINDOW]
            self._begins, self._first, self._last = _beginnings(window), start, start + len(window)
        first, last = start - self._first, end - self._first
        if first < last and not self._begins[first]:  # in the middle of a token
            part = self._text[start:end]
            return len(part) - _beginnings(part).count(0)
        return last - first - self._begins.count(0, first, last)


def _beginnings(text: str) -> bytes:
    """Return a byte for each character, which is not 0 where a token begins."""
    data = text.encode("ascii", _AS_CLASSES).translate(_CLASSES)
    if not text.isascii():
        for second in (_FOREIGN, _LETTER, _SINGLE):
            data = data.replace(bytes([_FOREIGN, second]), bytes([_FOREIGN, 0]))
    for kind, most in _RUNS:  # its last character as white space: the next one begins a token
        data = data.replace(bytes([kind]) * most, bytes([kind | _BEGINS, *[kind] * (most - 2), 0]))
    bits = int.from_bytes(data, "little")  # one operation on all bytes
    return (bits & ~(bits << 8) | bits & _SURE).to_bytes(len(data), "little")


def density(language: str) -> float:
    """Return the ratio of real to estimated tokens for a text in this language."""
    if language == "ko":
        return _HANGUL  # a syllable is split into its two or three letters
    return _OTHER_LATIN if language in LATIN and language not in _AS_ESTIMATED else 1.0


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEVER = _words(  # never the end of a sentence: a name or number follows
    # English, and titles in all languages
    "mr mrs ms mx dr prof st ste mme mlle mm rev hon gen col lt sgt capt cmdr maj sen rep gov pres msgr mgr vs v viz "
    "fig figs eq eqs sec secs ch chap app ref refs approx resp cf e.g eg i.e ie ed eds vol vols no nos p pp art dept "
    "est incl excl misc op cit loc n.b nb "
    # German, Dutch
    "hr fr frl dipl dipl.-ing h.c vgl bzgl bzw ca gem ggf inkl insb max min sog z.b z.t d.h i.d.r i.s.d u.u o.g s.o "
    "s.u evtl zzgl abs nr s hrsg hg übers tel abb kap bd bde str arts lit tab ing arch bijv bv blz d.w.z o.a t.a.v "
    "m.b.t dhr mevr mw drs "
    # French, Spanish, Catalan, Portuguese, Italian, Romanian
    "p.ex ex c.-à-d càd env av apr.j.-c tit sr sra srta núm num pág págs pag pàg pagg d.lgs aprox máx mín ud uds vd "
    "vds "
    "dña d avda c.p ph dott dott.ssa sig sig.ra avv sez lib cod ss es dl dna d-na d-l alin bd ș.a "
    # Scandinavian, Finnish, Baltic
    "t.ex bl.a dvs s.k kl f.d f.eks pga mht ifm esim ks mm klo nro huom vrt ns pvz t.y gerb psl piem t.i nt lk "
    # Polish, Czech, Slovak, Slovene, Croatian, Hungarian, Turkish, Indonesian, Vietnamese
    "np tzn tzw m.in inż ul godz tj zob św ks tys tzv např napr čl odst bc mudr judr popř mj cca č npr br "
    "št gosp gđa pl rp ún ifj vö örn bkz sn doç av sok mah hlm tgl jl bpk sdr yth tp ths ts pgs gs "
    # Russian, Ukrainian, Bulgarian; Greek; Hindi
    "т.е т.к т.н г ул д стр рис см англ им напр див вул буд кв рр ст п вж бр тов гр π.χ κ κα κος δηλ αρ σελ βλ डॉ श्री "
    "प्रो सं"
)
PERHAPS = _words(  # may end a sentence: decided by the next word
    "etc usw usf ecc al inc ltd co corp bros plc llc gmbh a.m p.m am pm u.s u.k u.n e.u ph.d m.d b.a m.a d.c u.s.a "
    "jr esq mio mrd tsd jan feb mar apr jun jul aug sep sept oct okt nov dec dez u.ä o.ä u.dgl v.chr n.chr a.d b.c "
    "т.д т.п др enz osv m.fl ym yms jne itd itp atd atď apod stb kb vb vd dll dsb dst v.v κ.λπ κλπ u.c utt kt ipd "
    "и.д и.п пр mln mld s.r.o a.s s.a s.l s.p.a b.v n.v"
)
_ABBREVIATIONS = NEVER | PERHAPS
STARTERS = _words(
    "the a an this that these those it he she they we you i in on at for but and however as if when while after before "
    "there here his her their our its my one some many most all no not what who why how where with by from to since "
    "although though thus therefore moreover furthermore meanwhile finally first second also both each such so then "
    "lo gli uno lui lei noi voi las él ella elles nous vous je ces dans uns os as um uma"
).union(*(profile.words for profiles in (LATIN, CYRILLIC, GREEK) for profile in profiles.values()))
STARTERS -= _words("van von di da dos du des del della dal do e y al an ali bo can will may ken")  # parts of names
MONTHS = _words(
    "januar jänner februar märz april mai juni juli august september oktober november dezember jahrhundert jh januari "
    "ledna února března dubna května června července srpna září října listopadu prosince tammikuuta maj"
)


MAX_CHARACTERS = 1200  # the encoder reads 256 tokens, about this many characters …
_DENSE_CHARACTERS, _MOST_TOKENS = 400, 280  # … or this many in scripts it splits into single letters

_WIDEST_PAGE, _NARROWEST_PAGE = 200, 40  # characters
_WELL_SHORT = 0.62  # share of the widest line, for proportional type
_LEAST_THAI = 40  # characters
_LONGEST_WORD = 24  # that is looked for before a full stop

Range = tuple[int, int]

_UNSPACED = "。！？｡︒។៕။"  # no space follows
_STOPS = ".!?…؟۔।॥։።፧፨།༎᠃܀꯫‼⁇⁈⁉"
# All alternatives begin with one of these signs, so nothing else is examined: six times as fast as without.
_END = re.compile(
    rf"""[{_UNSPACED}{_STOPS};\u037e](?:
          (?<=[{_UNSPACED}])[{_UNSPACED}]*[」』”’）)】》〉]*
        | (?![A-Za-z0-9])(?:                                         # as within numbers and names
          (?<=[a-z]{{5}}\.)(?<!prox\.)(?=\ [A-Z])()                  # an end for sure: no abbreviation is as long
        | (?<=[!?])[!?]*[」』]*(?=[\u3040-\u9fff「『《（])              # as these scripts borrow them
        | (?<=[\u0370-\u03ff\u1f00-\u1fff][;\u037e])(?=\s|$)        # the Greek question mark
        | (?:(?<=[{_STOPS}])[{_STOPS}]*|(?<=\.)(?:\s\.){{2,}})         # a stop, or . . .
          (?:["'”’»›)\]}}*_]|(?<=[.!?…])\[\d{{1,3}}\])*(?=\s|$)       # closing signs and footnote numbers
    ))""",
    re.VERBOSE,
)
_QUOTED_ON = re.compile(r"(?:と|って|の|は|が|を|に|も|で|、|，)")  # Japanese: the sentence continues after the quote
_THAI = re.compile(r"[\u0e01-\u0eff]")
_THAI_SPACE = re.compile(r"(?<=[\u0e01-\u0eff])\s+(?=[\u0e01-\u0eff])")
_NEXT = re.compile(r"\s*[\"'“‘„«‹(\[{¿¡*_–—-]*\s?(\w+)?")
_WORD = re.compile(r"(?:(?<=[\s(\[{\"'“‘„«‹/–—*-])|^)[\w\u0900-\u0dff.’'&-]+$")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]$")
_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n)+")
_CLAUSE = re.compile(r"[;:,،；：，、၊؛·\s](?:(?<=\S)(?=\s|[^\x00-\u2fff])|(?<=\s)(?:[–—]\s|(?=\()))")
_ROMAN = re.compile(r"[IVXLC]{2,}$")


def split_sentences(text: str) -> list[Range]:
    """Return (start, end) of each sentence; together they cover every character that is not white space."""
    sentences: list[Range] = []
    start = 0
    for gap in _BLANK_LINES.finditer(text):
        sentences.extend(sentences_of_block(text, start, gap.start()))
        start = gap.end()
    sentences.extend(sentences_of_block(text, start, len(text)))
    return joined_to_words(text, sentences)


def sentences_of_block(text: str, start: int, end: int) -> Iterator[Range]:
    """Yield the sentences of consecutive non-empty lines; none is too long to encode."""
    thai = not text.isascii() and not text[start:end].isascii() and _THAI.search(text, start, end) is not None
    for paragraph in _wrapped(text, start, end):
        divided = _divided(text, *paragraph)
        for begin, stop in _thai(text, divided) if thai else divided:
            while begin < stop and text[begin].isspace():
                begin += 1
            while begin < stop and text[stop - 1].isspace():
                stop -= 1
            if stop - begin > _DENSE_CHARACTERS:
                yield from limited(text, begin, stop)
            elif begin < stop:
                yield begin, stop


def limited(text: str, start: int, end: int) -> Iterable[Range]:
    """Return a trimmed range, split at clause borders (else at a space, else anywhere) where it is too long."""
    start, end = _trimmed(text, start, end)
    if end - start > _DENSE_CHARACTERS:
        return _divided_at_clauses(text, start, end)
    return ((start, end),) if start < end else ()


def _divided_at_clauses(text: str, start: int, end: int) -> Iterator[Range]:
    while end - start > _DENSE_CHARACTERS:
        most = MAX_CHARACTERS if text.isascii() else _most_characters(text, start, end)
        if end - start <= most:
            break
        cut = _cut(text, start, most)
        yield _trimmed(text, start, cut)
        start, end = _trimmed(text, cut, end)
    if start < end:
        yield start, end


def has_words(text: str, start: int, end: int) -> bool:
    """Return whether a range contains more than a rule, a bracket or a stray mark."""
    return end - start > 80 or any(map(str.isalnum, text[start:end]))


def joined_to_words(text: str, sentences: list[Range]) -> list[Range]:
    """Merge each range without a letter or digit into the sentence before it."""
    joined: list[Range] = []
    for start, end in sentences:
        if joined and end - joined[-1][0] <= MAX_CHARACTERS and not has_words(text, start, end):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _most_characters(text: str, start: int, end: int) -> int:
    """Return the longest sentence, in characters, that the encoder reads completely in this text."""
    piece = text[start : min(end, start + MAX_CHARACTERS)]
    dense = not piece.isascii() and len(piece) - _beginnings(piece).count(0) > _MOST_TOKENS
    return _DENSE_CHARACTERS if dense else MAX_CHARACTERS


def _cut(text: str, start: int, most: int) -> int:
    low, high = start + most // 3, start + most
    cut = 0
    for clause in _CLAUSE.finditer(text, low, high):
        cut = clause.end()
    if cut:
        return cut
    space = max(text.rfind(" ", low, high), text.rfind("\n", low, high))
    return space if space > low else high


def _wrapped(text: str, start: int, end: int) -> Iterable[Range]:
    """Return the parts of a block (without empty lines) that are divided only by wrapping."""
    return ((start, end),) if text.find("\n", start, end) < 0 else _parts(text, start, end)


def _parts(text: str, start: int, end: int) -> Iterator[Range]:
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
    """Return whether a line ends on purpose.

    A line with room for the next line's first word was not wrapped; neither was a line longer than any page is wide;
    but a following lower-case letter always continues the sentence.
    """
    if len(line) <= _WIDEST_PAGE and (margin < _NARROWEST_PAGE or len(line) + 1 >= _WELL_SHORT * margin):
        return False
    following = following[:100].lstrip()
    if following[:1].islower():
        return False
    word = following.find(" ") if " " in following else len(following)
    return len(line) > _WIDEST_PAGE or len(line) + 1 + word < _WELL_SHORT * margin


def _divided(text: str, start: int, end: int) -> Iterator[Range]:
    for match in _END.finditer(text, start, end):
        stop, after = match.span()
        if match.lastindex or (after < end and _is_end(text, start, stop, after, end)):
            yield start, after
            start = after
    if start < end:
        yield start, end


def _thai(text: str, sentences: Iterator[Range]) -> Iterator[Range]:
    """Yield sentences; in Thai and Lao, the parts between spaces, joined until they are long enough."""
    for start, end in sentences:
        for space in _THAI_SPACE.finditer(text, start, end):
            if space.start() - start >= _LEAST_THAI <= end - space.end():
                yield start, space.end()
                start = space.end()
        yield start, end


def _is_end(text: str, start: int, stop: int, after: int, end: int) -> bool:
    """Return whether the punctuation from `stop` to `after` ends the sentence that began at `start`."""
    sign = text[stop]
    if sign in _UNSPACED:
        quote_ends = text[after - 1] in "」』”’）)】》〉"
        return not (quote_ends and _QUOTED_ON.match(text, after, end))
    word = text[after + 1] if after + 1 < end and text[after] == " " else ""
    if not word.isalpha():  # else a letter tells as much as its word, in a tenth of the time
        word = _next_word(text, after, end)
    if word and word[0].islower() and not "ა" <= word[0] <= "ჿ":  # Georgian has lower-case letters only
        return False
    if sign != "." or (after > stop + 1 and text[stop + 1] == "."):
        return True
    first = start if start > stop - _LONGEST_WORD else stop - _LONGEST_WORD
    space = text.rfind(" ", first, stop)
    if space >= 0:  # nearly always, and faster than the expressions
        last = text[space + 1 : stop]
        if len(last) > 1 and last.isalpha() and not last.isupper() and last.lower() not in _ABBREVIATIONS:
            return True
    before = _WORD.search(text, first, stop)
    last = before[0].lstrip("'’\"") if before else ""
    at_start = before is not None and before.start() <= _skip(text, start)
    return _full_stop_ends(last, _next_word(text, after, end), at_start=at_start)


def _next_word(text: str, start: int, end: int) -> str:
    following = _NEXT.match(text, start, end)
    return (following[1] or "") if following else ""


def _full_stop_ends(last: str, word: str, *, at_start: bool) -> bool:
    lower = last.lower()
    if lower in NEVER:
        return lower in ("no", "max", "min", "art", "ex", "d", "es") and word.lower() in STARTERS
    if lower in PERHAPS:
        return not word or word.lower() in STARTERS
    if last.isdigit():
        return not (at_start or (len(last) <= 2 and word.lower() in MONTHS))
    if _INITIALS.match(last):
        return word.lower() in STARTERS and len(word) > 1 and not (at_start and len(last) == 1)
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
