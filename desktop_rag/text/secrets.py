"""Finds what must not leave a computer by accident: keys, tokens, passwords, card and account numbers, personal ids.

Rules of our own, because the kept libraries (detect-secrets, gitleaks) scan repositories, not text, and pull in much;
what a label shows to be secret is in `labelled_secrets`.
Numbers count only with a right check digit. They are looked for in texts as people write them: wide digits, other
spaces and hyphens between groups, a line break within.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from desktop_rag.text.labelled_secrets import (
    broken_accounts,
    broken_numbers,
    broken_passwords,
    broken_tokens,
    labelled_secrets,
    labels,
    password_columns,
)
from desktop_rag.text.token_forms import CHECKED, PREFIXES, RULES, TOKENS, digits, is_personal, luhn

_KEY_BLOCK = (
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]{0,20000}?(?:-----END [A-Z0-9 ]{0,40}-----|\Z)"
    r"|(?<![\w+/=-])(?=[A-Za-z+/]{0,59}\d)(?=\S{0,59}[A-Z])(?=\S{0,59}[a-z])[A-Za-z0-9+/]{60,}={0,2}"  # lines alone
    r"|\bPrivate-Lines: \d{1,3}\s[\s\S]{0,20000}?(?:\bPrivate-MAC: \w{1,80}|\Z)"  # PuTTY
)
_TOKEN = (
    r"\b(?=\S{15})(?:"  # most words are too short
    r"(?:AKIA|ASIA)[0-9A-Z]{16}\b"  # Amazon
    r"|gh[pousr]_[A-Za-z0-9]{30,255}\b|github_pat_[A-Za-z0-9_]{40,255}\b|glpat-[\w-]{20,64}"
    r"|xox[abposr]-[A-Za-z0-9-]{10,250}|https://hooks\.slack\.com/services/[\w/]{20,120}"
    r"|https://(?:ptb\.|canary\.)?discord(?:app)?\.com/api/webhooks/\d{10,24}/[\w-]{20,120}"
    r"|sk-[A-Za-z0-9_-]{20,255}|[rs]k_(?:live|test)_[A-Za-z0-9]{16,128}"  # OpenAI, Anthropic; Stripe
    r"|AIza[\w-]{35}|ya29\.[\w-]{20,512}|GOCSPX-[\w-]{20,64}"  # Google
    r"|eyJ[\w-]{8,4096}\.eyJ[\w-]{8,8192}\.[\w-]{8,2048}"  # JSON web tokens
    r"|npm_[A-Za-z0-9]{36}\b|pypi-[\w-]{50,500}|hf_[A-Za-z0-9]{30,64}\b|SG\.[\w-]{16,64}\.[\w-]{16,128}"
    r"|AccountKey=[A-Za-z0-9+/]{40,128}={0,2}|AGE-SECRET-KEY-1[0-9A-Z]{58}\b|dop_v1_[a-f0-9]{64}\b"
    r"|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b|dapi[a-f0-9]{32}\b|glsa_\w{30,64}|hvs\.[\w-]{20,256}"
    r"|ATATT3[\w=-]{30,512}|PMAK-[a-f0-9-]{40,80}|sq0(?:csp|atp)-[\w-]{20,64}|SK[0-9a-f]{32}\b"  # last: Twilio
    r"|\d{8,10}:AA[\w-]{32,34}(?![\w-])"  # Telegram
    rf"|{TOKENS})"
)
_PASSWORD = (
    r"(?<=//)[^\s/:@\"'<>]{0,100}:(?P<login>[^\s/@\"'<>]{3,200})(?=@)"
    r"|(?i:(?=b)\b(?:bearer|basic) {1,3}(?P<header>(?=[^\s\"']*\d)[A-Za-z0-9._~+/=-]{16,2000}))"
    r"|[?&#](?:sig|access_token|api_?key|token|secret)=(?P<query>(?=[^\s&\"'<>]*\d)[^\s&\"'<>]{8,500})"
)
_BREAK = r"[ ]?\n(?:\d{1,7}: )?[ ]?"  # of a line, perhaps with the number of the next one
_GAP = rf"(?:[ ]{{1,3}}|[.-]|{_BREAK})"  # between groups of digits
_CARD = (
    r"(?=\d)(?<![\w.])(?<!\w-)(?:(?:\d[ -]?){12,18}\d"
    rf"|\d{{4}}{_GAP}\d{{4}}{_GAP}\d{{4}}{_GAP}\d{{4}}|3[47]\d{{2}}{_GAP}\d{{6}}{_GAP}\d{{5}})(?!\w|-\w|\.\d)"
)
_IBAN_GAP = rf"(?:[ -]|{_BREAK})"
_IBAN = (
    r"(?i:(?=[a-z])\b[A-Z]{2}\d{2}(?:"
    rf"(?:{_IBAN_GAP}[A-Z0-9]{{4}}){{2,7}}(?:{_IBAN_GAP}[A-Z0-9]{{1,4}})?|[A-Z0-9]{{11,30}})(?![A-Z0-9]))"
)
_SECRET = re.compile(
    f"(?P<key>{_KEY_BLOCK})|(?P<token>{_TOKEN})|(?P<password>{_PASSWORD})|(?P<iban>{_IBAN})"
    f"|(?P<id>{RULES})|(?P<card>{_CARD})"
)
_WHOLE_TOKEN = re.compile(_TOKEN)
_NAMED = ("login", "header", "query")  # groups of a password
# Whatever a form needs: two digits in a row, or the beginning of a token.
_MAY_HOLD = re.compile(
    r"\d{2}|A[KS]IA|dapi|PMAK|shp[acps]|dop_v1|[A-Za-z0-9+/]{60}|//[^\s/]*@|-----BEGIN|[gG][hH][pousr]_|glpat-|xox|sk-|[rs]k_|AIza|ya29|GOCSPX|eyJ|npm_|pypi-|hf_|SG\.|SECRET"
    r"|hooks\.slack|AccountKey|hvs\.|glsa_|sq0|ATATT|(?i:bearer|basic|key=|token=|secret=|sig=)"
    rf"|[MNO][A-Za-z0-9]{{23,27}}\.|{PREFIXES}"
)
_LINE_NUMBER = re.compile(r"(?<=\n)\d{1,7}: ")
_SHORT = 2_000  # characters
_REMEMBERED = 20_000  # surroundings
_NEAR = 400  # characters around a cut
_ISSUERS = re.compile(r"3[47]|3(?:0[0-5]|[689])|4|5[1-5]|2[2-7]|6(?:011|4[4-9]|5)|62|35")  # of cards, by first digits
_CARD_LENGTHS = range(13, 20)
_IBAN_LENGTHS = {  # by country, of the registry of ISO 13616
    country: length
    for length, countries in (
        *((15, "NO"), (16, "BE"), (18, "DK FI FO GL NL SD"), (19, "MK SI"), (20, "AT BA EE KZ LT LU XK")),
        *((21, "CH CR HR LI LV"), (22, "BG BH DE GB GE IE ME RS VA"), (23, "AE GI IL IQ OM SO TL")),
        *((24, "AD CZ ES MD PK RO SA SE SK TN VG"), (25, "LY PT ST"), (26, "IS TR"), (27, "BI DJ FR GR IT MC MR SM")),
        *((28, "AL AZ BY CY DO GT HU LB NI PL SV"), (29, "BR EG PS QA UA"), (30, "JO KW MU"), (31, "MT SC")),
        *((32, "LC"), (33, "RU")),
    )
    for country in countries.split()
}
_RECOGNISED = 6  # characters of a masked value that is no usual word
LONGEST_ADDRESS = 2_000  # characters before a placeholder that are looked at
_IN_ADDRESS = re.compile(
    r"(?i:://|\]\(|\bwww\.|\bmailto:|\b(?:src|href) ?= ?|^ {0,3}\[[^\]\n]{1,200}\]: ?)[^\s<>]*\Z", re.MULTILINE
)
PLACEHOLDER = re.compile(r"\{\{(?:key|token|password|card|iban|id|word)_\d{1,4}\}\}")


@dataclass(frozen=True, slots=True)
class FoundSecret:
    """A secret at `start` to `end` of a text; `kind` is key, token, password, card, iban or id."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A text whose part from `start` to `end` is sent; what is around it may show what is secret in it."""

    text: str
    start: int
    end: int


def find_secrets(text: str) -> Iterator[FoundSecret]:
    """Yield the secrets of a text in order, without overlap, also those that are broken over lines or cells."""
    text = folded(text)
    end = 0
    formed = (*_whole(text), *_broken(text)) if _MAY_HOLD.search(text) else ()
    every = sorted((*formed, *_labelled(text)), key=lambda each: (each.start, -each.end))
    for secret in every:
        if secret.end <= end:
            continue
        yield secret if secret.start >= end else FoundSecret(end, secret.end, secret.kind)
        end = secret.end


def _known_secrets(text: str) -> Iterable[FoundSecret]:
    """Return the secrets of a text; those of short texts are kept, as paths, titles and quotes come again and again."""
    return _of_short_text(text) if len(text) <= _SHORT else find_secrets(text)


@lru_cache(maxsize=4_000)
def _of_short_text(text: str) -> tuple[FoundSecret, ...]:
    return tuple(find_secrets(text))


def _broken(text: str) -> Iterator[FoundSecret]:
    for start, end, number in broken_numbers(text):
        if is_card(number):
            yield FoundSecret(start, end, "card")
    for start, account in broken_accounts(text):
        if length := _iban(account):
            yield FoundSecret(start, start + length, "iban")
    for start, parts in broken_tokens(text):
        if end := _token_end(parts):
            yield FoundSecret(start, end, "token")


def _labelled(text: str) -> Iterator[FoundSecret]:
    found = list(labels(text))
    for spans in (labelled_secrets, broken_passwords, password_columns):
        yield from (FoundSecret(start, end, "password") for start, end in spans(text, found))


def _token_end(parts: list[tuple[int, str]]) -> int:
    """Return where a token of these parts ends, 0 if they make none; what follows a whole one may be plain words."""
    joined, end = "", 0
    for number, (place, part) in enumerate(parts):
        if number and _WHOLE_TOKEN.fullmatch(joined) and not _looks_random(part):
            break
        joined, end = joined.rstrip("-.") + part, place
    joined = joined.rstrip(".=-")
    return end if _WHOLE_TOKEN.fullmatch(joined) else 0


def _looks_random(part: str) -> bool:
    letters = any(map(str.isalpha, part))
    return letters and (any(map(str.isdigit, part)) or re.search("[a-z][A-Z]", part) is not None)


def is_card(number: str) -> bool:
    """Return whether digits are a card number: length, issuer and check digit."""
    return len(number) in _CARD_LENGTHS and _ISSUERS.match(number) is not None and len(set(number)) > 1 and luhn(number)


def _whole(text: str) -> Iterator[FoundSecret]:
    at = 0
    while found := _SECRET.search(text, at):
        secret = _checked(found)
        if secret is not None:
            yield secret
        # What is none may still begin before one: “12 4111 …”.
        at = secret.end if secret is not None else _next_group(text, found.start())


def cut_outside(text: str, place: int) -> int:
    """Return where to cut a text at `place`: there, or before a secret that the halves would not show to be one."""
    start = max(0, place - _NEAR)
    for found in find_secrets(text[start : place + _NEAR]):
        if start + found.start < place < start + found.end:
            return start + found.start
    return place


def folded(text: str) -> str:
    """Return a text of the same length with plain spaces, line breaks, hyphens and digits, and narrow letters."""
    return text.replace("\v", "\n").replace("\f", "\n") if text.isascii() else text.translate(_FOLDS)


class _Folds(dict[int, int]):
    """Maps the code of a character to that of its plain form, found when it is first met."""

    def __missing__(self, code: int) -> int:
        char = chr(code)
        kind = unicodedata.category(char)
        plain = unicodedata.normalize("NFKC", char)
        if kind == "Zs":
            plain = " "
        elif kind in ("Zl", "Zp") or char in "\v\f\x85":
            plain = "\n"
        elif kind == "Pd" or char == "\N{MINUS SIGN}":
            plain = "-"
        elif kind == "Nd":
            plain = str(unicodedata.decimal(char))
        # Letters of other scripts stay what they are; only wide forms of ASCII are folded.
        self[code] = ord(plain) if len(plain) == 1 and plain.isascii() else code
        return self[code]


_FOLDS = _Folds()


def _checked(found: re.Match[str]) -> FoundSecret | None:
    """Return the secret in what a rule found, without what only follows it; None if its check digits are wrong."""
    kind, (start, end), text = found.lastgroup or "", found.span(), found[0]
    if found["password"]:
        named = next(name for name in _NAMED if found[name])
        return FoundSecret(*found.span(named), "password")
    if found["card"]:
        length = _card(text)
        return FoundSecret(start, start + length, "card") if length else None
    if found["iban"]:
        length = _iban(text)
        return FoundSecret(start, start + length, "iban") if length else None
    if found["id"] and found["named"]:
        return FoundSecret(*found.span("named"), "id")
    if found["id"]:
        rule = next((name for name in CHECKED if found[name]), "")
        return FoundSecret(start, end, "id") if not rule or is_personal(rule, text) else None
    return FoundSecret(start, end, kind)


def _next_group(text: str, start: int) -> int:
    """Return where to look on after a match that was none: after its first group of letters or digits."""
    at = start + 1
    while at < len(text) and text[at].isalnum():
        at += 1
    return at


class SecretMask:
    """Replaces secrets and chosen words by placeholders, each value by its own, and puts them back."""

    def __init__(self, words: tuple[str, ...] = (), *, secrets: bool = True) -> None:
        kept = sorted({word.strip() for word in words if word.strip()}, key=len, reverse=True)
        self._words = re.compile("|".join(map(_flexible, kept)), re.IGNORECASE) if kept else None
        self._secrets = secrets
        self._placeholders: dict[str, str] = {}
        self.values: dict[str, str] = {}  # masked ones, by placeholder
        self._learned: dict[int, None] = {}  # hashes of the last ones: a server works for weeks

    def mask(self, text: str) -> str:
        """Return `text` with placeholders, also where a value that was masked before stands without its context."""
        if self._words is not None:
            text = self._words.sub(lambda found: self._placeholder(found[0], "word"), text)
        parts, at = [], 0
        for found in _known_secrets(text) if self._secrets else ():
            parts += [text[at : found.start], self._placeholder(text[found.start : found.end], found.kind)]
            at = found.end
        text = "".join((*parts, text[at:])) if parts else text
        for value in sorted(self._placeholders, key=len, reverse=True):
            if len(value) >= _RECOGNISED and value in text:
                text = text.replace(value, self._placeholders[value])
        return text

    def learn(self, around: Surroundings) -> None:
        """Mask from now on what a part of a text has of the secrets and words that the whole text shows."""
        key = hash(around)
        if key in self._learned:
            return
        self._learned[key] = None
        if len(self._learned) > _REMEMBERED:
            del self._learned[next(iter(self._learned))]
        text, low, high = around.text, around.start, around.end
        found = list(find_secrets(text)) if self._secrets else []
        if self._words is not None:
            found += [FoundSecret(*word.span(), "word") for word in self._words.finditer(text)]
        for each in found:
            start, end = max(each.start, low), min(each.end, high)
            for line in re.finditer(r"[^\n]+", text[start:end]) if start < end else ():
                self.expect(_widened(text, start + line.start(), start + line.end(), (low, high)), each.kind)

    def expect(self, value: str, kind: str) -> None:
        """Mask a value from now on, wherever it stands; one of less than six characters is too usual for that."""
        if len(value.strip()) >= _RECOGNISED:
            self._placeholder(value.strip(), kind)

    def restore(self, text: str, before: str = "") -> str:
        """Return `text`, which follows `before`, with the values in place of their placeholders.

        In an address they stay: a click on it would carry the value away.
        """
        if not self.values:
            return text
        whole, start = before + text, len(before)

        def value(found: re.Match[str]) -> str:
            place = start + found.start()
            if _IN_ADDRESS.search(whole[max(0, place - LONGEST_ADDRESS) : place]):
                return found[0]
            return self.values.get(found[0], found[0])

        return PLACEHOLDER.sub(value, text)

    def _placeholder(self, value: str, kind: str) -> str:
        known = self._placeholders.get(value)
        if known is None:
            known = f"{{{{{kind}_{len(self.values) + 1}}}}}"
            self._placeholders[value], self.values[known] = known, value
        return known


def _widened(text: str, start: int, end: int, within: tuple[int, int]) -> str:
    """Return a part of a line, widened within the line if it is too short to be recognised."""
    low = max(within[0], text.rfind("\n", 0, start) + 1)
    high = text.find("\n", end, within[1])
    high = within[1] if high < 0 else high
    while len(text[start:end].strip()) < _RECOGNISED and (start > low or end < high):
        start, end = (start - 1, end) if start > low else (start, end + 1)
    return text[start:end]


def _flexible(word: str) -> str:
    """Return a pattern for a word in any Unicode form, also hyphenated at the end of a line; spaces are of any kind."""
    return r"[\s_-]+".join(
        r"(?:[-\u2010\u00ad]\s*\n\s*|\u00ad)?".join(map(_any_form, unicodedata.normalize("NFC", part)))
        for part in word.split()
    )


def _any_form(char: str) -> str:
    """Return a pattern for a character: composed, decomposed, wide, and “ss” for “ß”."""
    forms = [char, unicodedata.normalize("NFD", char), *(("ss", "\u1e9e") if char == "ß" else ())]
    if "!" <= char <= "~":
        forms.append(chr(ord(char) - ord("!") + ord("\uff01")))
    return f"(?:{'|'.join(map(re.escape, dict.fromkeys(forms)))})"


def _card(text: str) -> int:
    """Return how long the card number is that a text begins with; 0 if there is none. A check value may follow it."""
    ends = [
        place
        for place in range(1, len(text) + 1)
        if text[place - 1].isdigit() and not text[place : place + 1].isdigit()
    ]
    for end in reversed(ends):
        number = digits(_LINE_NUMBER.sub("", text[:end]))
        if is_card(number):
            return end if text[:end].count("\n") < 2 else 0
    return 0


def _iban(text: str) -> int:
    """Return how long the account number is that a text begins with; 0 if there is none. Words may follow it."""
    left, joined = _IBAN_LENGTHS.get(text[:2].upper(), 0), ""
    skipped = {place for found in _LINE_NUMBER.finditer(text) for place in range(*found.span())}
    for at, char in enumerate(text):
        if char.isalnum() and at not in skipped:
            joined += char
        if len(joined) == left:
            rest = "".join(str(int(each, 36)) for each in joined[4:] + joined[:4])
            return at + 1 if not text[at + 1 : at + 2].isalnum() and int(rest or "0") % 97 == 1 else 0
    return 0
