"""Finds what must not leave a computer by accident: keys, tokens, passwords, card and account numbers, personal ids.

Rules of our own, because the kept libraries (detect-secrets, gitleaks) scan repositories, not text, and pull in much.
Numbers count only with a right check digit.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

_KEY_BLOCK = (
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]{0,20000}?(?:-----END [A-Z0-9 ]{0,40}-----|\Z)"
)
_TOKEN = (
    r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"  # Amazon
    r"|\bgh[pousr]_[A-Za-z0-9]{30,255}\b|\bgithub_pat_[A-Za-z0-9_]{40,255}\b|\bglpat-[\w-]{20,64}"
    r"|\bxox[abposr]-[A-Za-z0-9-]{10,250}|\bhttps://hooks\.slack\.com/services/[\w/]{20,120}"
    r"|\bsk-[A-Za-z0-9_-]{20,255}|\b[rs]k_live_[A-Za-z0-9]{16,128}"  # OpenAI, Anthropic; Stripe
    r"|\bAIza[\w-]{35}|\bya29\.[\w-]{20,512}|\bGOCSPX-[\w-]{20,64}"  # Google
    r"|\beyJ[\w-]{8,4096}\.eyJ[\w-]{8,8192}\.[\w-]{8,2048}"  # JSON web tokens
    r"|\bnpm_[A-Za-z0-9]{36}\b|\bpypi-[\w-]{50,500}|\bhf_[A-Za-z0-9]{30,64}\b|\bSG\.[\w-]{16,64}\.[\w-]{16,128}"
    r"|\bAccountKey=[A-Za-z0-9+/]{40,128}={0,2}|\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b|\bdop_v1_[a-f0-9]{64}\b"
)
_PASSWORD = (
    r"(?<=//)[^\s/:@\"'<>]{1,100}:(?P<login>[^\s/@\"'<>]{3,200})(?=@)"
    r"|(?i:\b(?:password|passwd|passwort|kennwort|passphrase|secret[_-]?key|secret[_-]?access[_-]?key|client[_-]secret"
    r"|api[_-]?key|access[_-]?token|auth[_-]?token)\b[\"']?\s{0,3}(?:[:=]|=>)\s{0,3}[\"']?"
    r"(?P<value>(?![\"'\s{<(\[$*.])(?=[^\s\"',;]*[0-9!#$%^&*+/?@_~=-])[^\s\"',;]{8,200}))"
)
_CARD = r"(?<![\w.,-])(?:\d[ -]?){12,18}\d(?![\w-]|[.,]\d)"
_IBAN = r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b"
_PERSONAL = (
    r"\b(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}\b"  # United States
    r"|\b(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b"  # Great Britain
    r"|\b[A-Z]{6}\d{2}[ABCDEHLMPRST]\d{2}[A-Z]\d{3}[A-Z]\b"  # Italy
    r"|(?P<swiss>\b756[. ]?\d{4}[. ]?\d{4}[. ]?\d{2}\b)"
    r"|(?P<spanish>\b(?:\d{8}|[XYZ]\d{7})-?[A-HJ-NP-TV-Z]\b)"
    r"|(?P<french>\b[12] ?\d{2} ?(?:0[1-9]|1[0-2]) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}\b)"
    r"|(?P<chinese>\b\d{6}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dX]\b)"
)
_SPANISH_LETTERS, _CHINESE_DIGITS = "TRWAGMYFPDXBNJZSQVHLCKE", "10X98765432"  # by the rest of the number
_SECRET = re.compile(
    f"(?P<key>{_KEY_BLOCK})|(?P<token>{_TOKEN})|(?P<password>{_PASSWORD})|(?P<iban>{_IBAN})"
    f"|(?P<id>{_PERSONAL})|(?P<card>{_CARD})"
)
_MAY_HOLD = re.compile(r"\d{2}|[kK][eE][yY]|(?i:passw|token|secret)|-----BEGIN|//[^\s/]*@")
_ISSUERS = re.compile(r"3[47]|3(?:0[0-5]|[689])|4|5[1-5]|2[2-7]|6(?:011|4[4-9]|5)|62|35")  # of cards, by first digits
_CARD_LENGTHS = range(13, 20)
_RECOGNISED = 6  # characters of a masked value that is no usual word
PLACEHOLDER = re.compile(r"\{\{(?:key|token|password|card|iban|id|word)_\d{1,4}\}\}")


@dataclass(frozen=True, slots=True)
class FoundSecret:
    """A secret at `start` to `end` of a text; `kind` is key, token, password, card, iban or id."""

    start: int
    end: int
    kind: str


def find_secrets(text: str) -> Iterator[FoundSecret]:
    """Yield the secrets of a text in order, without overlap."""
    if not _MAY_HOLD.search(text):
        return
    for found in _SECRET.finditer(text):
        kind = found.lastgroup or ""
        named = next((name for name in ("login", "value") if found[name]), "")
        if named:
            yield FoundSecret(*found.span(named), "password")
        elif found["card"]:
            if _is_card(found[0]):
                yield FoundSecret(*found.span(), "card")
        elif found["iban"]:
            if _is_iban(found[0]):
                yield FoundSecret(*found.span(), "iban")
        elif found["id"]:
            rule = next((name for name in _CHECKED_IDS if found[name]), "")
            if not rule or _CHECKED_IDS[rule](found[0]):
                yield FoundSecret(*found.span(), "id")
        else:
            yield FoundSecret(*found.span(), kind)


class SecretMask:
    """Replaces secrets and chosen words by placeholders, each value by its own, and puts them back."""

    def __init__(self, words: tuple[str, ...] = (), *, secrets: bool = True) -> None:
        kept = sorted({word.strip() for word in words if word.strip()}, key=len, reverse=True)
        flexible = (r"\s+".join(map(re.escape, word.split())) for word in kept)
        self._words = re.compile("|".join(flexible), re.IGNORECASE) if kept else None
        self._secrets = secrets
        self._placeholders: dict[str, str] = {}
        self._values: dict[str, str] = {}

    @property
    def values(self) -> Mapping[str, str]:
        """Return the masked values by placeholder."""
        return self._values

    def mask(self, text: str) -> str:
        """Return `text` with placeholders, also where a value that was masked before stands without its context."""
        if self._words is not None:
            text = self._words.sub(lambda found: self._placeholder(found[0], "word"), text)
        if not self._secrets:
            return text
        parts, at = [], 0
        for found in find_secrets(text):
            parts += [text[at : found.start], self._placeholder(text[found.start : found.end], found.kind)]
            at = found.end
        text = "".join((*parts, text[at:])) if parts else text
        for value, placeholder in self._placeholders.items():
            if len(value) >= _RECOGNISED and value in text:
                text = text.replace(value, placeholder)
        return text

    def restore(self, text: str) -> str:
        """Return `text` with the values in place of their placeholders."""
        return PLACEHOLDER.sub(lambda found: self._values.get(found[0], found[0]), text) if self._values else text

    def _placeholder(self, value: str, kind: str) -> str:
        known = self._placeholders.get(value)
        if known is None:
            known = f"{{{{{kind}_{len(self._values) + 1}}}}}"
            self._placeholders[value], self._values[known] = known, value
        return known


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdecimal() and char.isascii())


def _is_card(text: str) -> bool:
    digits = _digits(text)
    if len(digits) not in _CARD_LENGTHS or not _ISSUERS.match(digits) or len(set(digits)) < 2:
        return False
    doubled = [int(digit) * 2 for digit in digits[-2::-2]]
    return (sum(map(int, digits[-1::-2])) + sum(each - 9 if each > 9 else each for each in doubled)) % 10 == 0


def _is_iban(text: str) -> bool:
    joined = text.replace(" ", "")
    if not 15 <= len(joined) <= 34:
        return False
    return int("".join(str(int(char, 36)) for char in joined[4:] + joined[:4])) % 97 == 1


def _is_swiss_id(text: str) -> bool:
    digits = [int(digit) for digit in _digits(text)]
    return (10 - (sum(digits[:-1:2]) + 3 * sum(digits[1:-1:2])) % 10) % 10 == digits[-1]


def _is_spanish_id(text: str) -> bool:
    number = int("".join(str("XYZ".find(char)) if char in "XYZ" else char for char in text[:-1] if char != "-"))
    return _SPANISH_LETTERS[number % len(_SPANISH_LETTERS)] == text[-1]


def _is_french_id(text: str) -> bool:
    joined = text.replace(" ", "").replace("2A", "19").replace("2B", "18")  # the departments of Corsica
    return 97 - int(joined[:-2]) % 97 == int(joined[-2:])


def _is_chinese_id(text: str) -> bool:
    weighed = sum(int(digit) * 2 ** (17 - place) for place, digit in enumerate(text[:-1]))
    return _CHINESE_DIGITS[weighed % 11] == text[-1]


_CHECKED_IDS: Mapping[str, Callable[[str], bool]] = {
    "swiss": _is_swiss_id,
    "spanish": _is_spanish_id,
    "french": _is_french_id,
    "chinese": _is_chinese_id,
}
