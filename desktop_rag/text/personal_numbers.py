"""Personal numbers of states by their form: a rule for each, and a check of its digits where there is one.

The check digits are those of the states' own rules; ISO 7064 for Germany. Texts are those of `secrets.folded`.
"""

from collections.abc import Callable, Mapping, Sequence

# Each rule that needs a check has a group of its own; a number without one must be unmistakable by its form. What a
# rule begins with is looked at before all of them, as most places of a text begin none.
RULES = (
    r"(?=\d)(?:"
    r"\b(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}\b"  # United States
    r"|(?P<swiss>\b756[. ]?\d{4}[. ]?\d{4}[. ]?\d{2}\b)"
    r"|(?P<spanish>\b\d{8}-?[A-HJ-NP-TV-Z]\b)"
    r"|(?P<french>\b[12] ?\d{2} ?(?:0[1-9]|1[0-2]) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}\b)"
    r"|(?P<chinese>\b\d{6}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dX]\b)"
    r"|(?P<belgian>\b\d{2}\.(?:0\d|1[0-2])\.[0-3]\d-\d{3}\.\d{2}\b)"
    r"|(?P<brazilian>\b\d{3}\.\d{3}\.\d{3}-\d{2}\b)"
    r"|(?P<finnish>\b[0-3]\d(?:0\d|1[0-2])\d{2}[-+A-F]\d{3}[0-9A-Y]\b)"
    r"|(?P<swedish>\b(?:19|20)?\d{2}(?:0\d|1[0-2])[0-3]\d[-+]\d{4}\b)"
    r"|(?P<korean>\b\d{2}(?:0\d|1[0-2])[0-3]\d-[1-8]\d{6}\b)"
    r"|(?P<eleven>(?<![\w.,-])\d{2} ?\d{3} ?\d ?\d{2} ?\d{3}(?![\w-]|[.,]\d))"  # Germany, Poland, Norway
    r")|(?=[A-Z])(?:"
    r"\b(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b"  # Great Britain
    r"|\b[A-Z]{6}\d{2}[ABCDEHLMPRST]\d{2}[A-Z]\d{3}[A-Z]\b"  # Italy
    r"|(?P<foreigner>\b[XYZ]\d{7}-?[A-HJ-NP-TV-Z]\b)"  # in Spain
    r")|(?=[ABCPSTpst])\b(?:SSN|BSN|SIN|TFN|CPR|CPF|PESEL|SVNR|Aadhaar|Steuer-?ID|[Pp]ersonnummer|[Ss]ocial [Ss]ecurity"
    r" [Nn]umber|Sozialversicherungsnummer|[Tt]ax [Ff]ile [Nn]umber)[:#. ]{1,3}(?P<named>\d[\d /-]{6,16}\d)\b"
)
_SPANISH_LETTERS, _CHINESE_DIGITS = "TRWAGMYFPDXBNJZSQVHLCKE", "10X98765432"  # by the rest of the number
_FINNISH_LETTERS = "0123456789ABCDEFHJKLMNPRSTUVWXY"


def digits(text: str) -> str:
    """Return the digits of a text."""
    return "".join(char for char in text if char.isdecimal() and char.isascii())


def luhn(number: str) -> bool:
    """Return whether the last of some digits is their check digit (ISO/IEC 7812-1, annex B)."""
    doubled = [2 * int(digit) for digit in number[-2::-2]]
    return (sum(map(int, number[-1::-2])) + sum(each - 9 if each > 9 else each for each in doubled)) % 10 == 0


def is_personal(rule: str, text: str) -> bool:
    """Return whether a number that fits the rule of this name has the right check digits."""
    return _CHECKS[rule](text)


def _sum(number: str, weights: Sequence[int]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(number, weights, strict=False))


def _is_swiss(text: str) -> bool:
    number = digits(text)
    return (10 - _sum(number[:-1], (1, 3) * 6) % 10) % 10 == int(number[-1])


def _is_spanish(text: str) -> bool:
    number = int("".join(str("XYZ".find(char)) if char in "XYZ" else char for char in text[:-1] if char != "-"))
    return _SPANISH_LETTERS[number % len(_SPANISH_LETTERS)] == text[-1]


def _is_french(text: str) -> bool:
    joined = text.replace(" ", "").replace("2A", "19").replace("2B", "18")  # the departments of Corsica
    return 97 - int(joined[:-2]) % 97 == int(joined[-2:])


def _is_chinese(text: str) -> bool:
    return (
        _CHINESE_DIGITS[sum(int(digit) * 2 ** (17 - place) for place, digit in enumerate(text[:-1])) % 11] == text[-1]
    )


def _is_belgian(text: str) -> bool:
    number = digits(text)
    return int(number[-2:]) in {97 - int(century + number[:-2]) % 97 for century in ("", "2")}


def _is_brazilian(text: str) -> bool:
    number = digits(text)
    first = _sum(number[:9], range(10, 1, -1)) * 10 % 11 % 10
    second = _sum(number[:10], range(11, 1, -1)) * 10 % 11 % 10
    return number[9:] == f"{first}{second}" and len(set(number)) > 1


def _is_finnish(text: str) -> bool:
    return _FINNISH_LETTERS[int(text[:6] + text[7:10]) % len(_FINNISH_LETTERS)] == text[10]


def _is_swedish(text: str) -> bool:
    return luhn(digits(text)[-10:])


def _is_korean(text: str) -> bool:
    number = digits(text)
    return (11 - _sum(number[:12], (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)) % 11) % 10 == int(number[12])


def _is_eleven(text: str) -> bool:
    number = digits(text)
    return _is_german(number) or _is_polish(number) or _is_norwegian(number)


def _is_german(number: str) -> bool:
    """Check by ISO 7064, MOD 11,10; among the first ten digits exactly one stands two or three times."""
    often = [number[:10].count(digit) for digit in set(number[:10])]
    if number[0] == "0" or max(often) not in (2, 3) or sum(each > 1 for each in often) != 1:
        return False
    product = 10
    for digit in number[:10]:
        product = ((int(digit) + product) % 10 or 10) * 2 % 11
    return (11 - product) % 10 == int(number[10])


def _is_polish(number: str) -> bool:
    is_day = 1 <= int(number[2:4]) % 20 <= 12 and 1 <= int(number[4:6]) <= 31
    return is_day and (10 - _sum(number[:10], (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)) % 10) % 10 == int(number[10])


def _is_norwegian(number: str) -> bool:
    if not (1 <= int(number[:2]) <= 31 and 1 <= int(number[2:4]) <= 12):
        return False
    first = (11 - _sum(number[:9], (3, 7, 6, 1, 8, 9, 4, 5, 2)) % 11) % 11
    second = (11 - _sum(number[:10], (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11) % 11
    return number[9:] == f"{first}{second}"


_CHECKS: Mapping[str, Callable[[str], bool]] = {
    "swiss": _is_swiss,
    "spanish": _is_spanish,
    "foreigner": _is_spanish,
    "french": _is_french,
    "chinese": _is_chinese,
    "belgian": _is_belgian,
    "brazilian": _is_brazilian,
    "finnish": _is_finnish,
    "swedish": _is_swedish,
    "korean": _is_korean,
    "eleven": _is_eleven,
}
CHECKED = tuple(_CHECKS)
