"""Forms of the keys and tokens of services: a beginning that tells the service, then what it draws at random.

The facts are those that the services publish and that the rules of gitleaks go by. An identifier that opens nothing by
itself, such as the account SID of Twilio, is none.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

_WORD, _HEX, _ANY, _UPPER = r"[A-Za-z0-9]", r"[0-9a-f]", r"[\w-]", r"[A-Z0-9]"
_UUID = rf"{_HEX}{{8}}-(?:{_HEX}{{4}}-){{3}}{_HEX}{{12}}"
_LEAST_BITS = 3.5  # of a value with a label: entropy for each of its characters, as in gitleaks' generic rule
_LEAST_HEX = 32  # digits; shorter ones are colours, sums, versions

_FORMS = (
    # models
    ("gsk_", rf"{_WORD}{{40,100}}"),
    ("xai-", rf"{_WORD}{{60,120}}"),
    ("pplx-", rf"{_WORD}{{40,100}}"),
    ("nvapi-", rf"{_ANY}{{40,120}}"),
    ("r8_", rf"{_WORD}{{37,60}}"),
    ("sk_", rf"{_HEX}{{48}}\b"),
    ("tvly-", rf"(?=\D{{0,60}}\d){_ANY}{{20,80}}"),
    ("lsv2_(?:pt|sk)_", rf"{_HEX}{{32}}_{_HEX}{{10}}"),
    ("jina_", rf"{_HEX}{{32}}{_ANY}{{20,60}}"),
    # clouds
    ("(?:A3T[A-Z0-9]|ABIA|ACCA)", rf"{_UPPER}{{16}}\b"),
    ("ABSK", r"[A-Za-z0-9+/]{100,300}={0,2}"),
    ("LTAI", rf"{_WORD}{{20}}\b"),
    ("AKID", rf"(?=\D{{0,31}}\d){_WORD}{{32}}\b"),
    (r"amzn\.mws\.", _UUID),
    ("HRKU-AA", rf"{_ANY}{{50,80}}"),
    (r"v1\.0-", rf"{_HEX}{{24}}-{_HEX}{{146}}"),
    (r"fm[12][ar]?_", r"[A-Za-z0-9+/=,_-]{80,2000}"),
    ("fo1_", rf"{_ANY}{{43}}"),
    ("do[or]_v1_", rf"{_HEX}{{64}}"),
    ("AQVN", rf"{_ANY}{{35,38}}\b"),
    (r"t1\.", rf"{_ANY}{{20,200}}={{0,2}}\.{_ANY}{{80,}}"),
    ("tk-us-", rf"{_ANY}{{48}}"),
    ("sha256~", rf"{_ANY}{{43}}"),
    (r"dt0c01\.", rf"{_UPPER}{{24}}\.{_UPPER}{{64}}"),
    ("vercel_blob_rw_", rf"{_ANY}{{24,120}}"),
    ("vc[aikpr]_", rf"{_WORD}{{40,80}}"),
    # databases
    ("pscale_(?:tkn|oauth|pw)_", r"[\w=.-]{32,64}"),
    ("sbp_(?:oauth_)?", rf"{_HEX}{{40}}"),
    ("sb_secret_", rf"{_ANY}{{24,80}}"),
    # code and its delivery
    ("dckr_[po]at_", rf"{_ANY}{{20,60}}"),
    ("rubygems_", rf"{_HEX}{{48}}"),
    ("CLOJARS_", r"[a-z0-9]{60}"),
    ("gl(?:rt|dt|cbt|ptt|ft|imt|oas|soat|agent|ffct)-", r"[\w.-]{20,120}"),
    ("GR1348941", rf"{_ANY}{{20}}"),
    ("pul-", rf"{_HEX}{{40}}\b"),
    ("sntry[su]_", r"[\w+/=-]{40,400}"),
    ("sq[apu]_", rf"{_HEX}{{40}}\b"),
    ("sgp_", rf"(?:{_WORD}{{5,16}}_)?{_HEX}{{40}}"),
    ("AKCp", rf"{_WORD}{{69,}}"),
    ("cmVmd", rf"{_WORD}{{59}}\b"),
    ("oy2", r"[a-z0-9]{43}\b"),
    ("odt_", rf"(?=\D{{0,40}}\d){_WORD}{{32,40}}\b"),
    ("cio", rf"(?=\D{{0,32}}\d){_WORD}{{32}}\b"),
    ("LS0tLS1CRUdJTi", r"[A-Za-z0-9+/]{40,}={0,2}"),  # a block of a key, encoded
    ("API-", r"(?=[A-Z]{0,25}\d)[A-Z0-9]{26}\b"),
    ("pnu_", rf"{_WORD}{{36}}"),
    ("rdme_", r"[a-z0-9]{70}"),
    (r"dp\.(?:pt|st|sa|ct|scim|audit)\.", r"[\w.-]{40,80}"),
    ("ico-", rf"{_WORD}{{32}}\b"),
    ("ATCTT3", r"[\w=-]{30,512}"),
    ("ATBB", rf"(?=\D{{0,31}}\d){_WORD}{{24,40}}\b"),
    ("[ps]at\\.", rf"{_ANY}{{22}}\.{_HEX}{{24}}\.{_WORD}{{20}}"),
    # notes, tables, designs
    ("ntn_", rf"{_WORD}{{40,60}}"),
    ("secret_", rf"(?=\D{{0,42}}\d){_WORD}{{43}}\b"),
    ("lin_(?:api|oauth)_", rf"{_WORD}{{32,80}}"),
    ("fig[dour]_", rf"{_ANY}{{36,80}}"),
    (r"pat", rf"{_WORD}{{14}}\.{_HEX}{{64}}"),
    ("CFPAT-", rf"{_ANY}{{40,64}}"),
    ("tfp_", r"[\w.-]{50,80}"),
    ("p8e-", r"[a-z0-9]{32}\b"),
    (r"sl\.(?:u\.)?", rf"{_ANY}{{130,2000}}"),
    # messages
    (r"xapp-", rf"\d-{_WORD}{{5,20}}-\d{{5,20}}-{_WORD}{{20,100}}"),
    (r"xoxe(?:\.xox[bp])?-", r"\d-[\w-]{30,300}"),
    ("(?:pub)?key-", rf"{_HEX}{{32}}\b"),
    ("xkeysib-", rf"{_HEX}{{64}}-{_WORD}{{16}}"),
    ("xsmtpsib-", rf"{_HEX}{{64}}-{_WORD}{{16}}"),
    ("EAA", rf"(?=\D{{0,80}}\d){_ANY}{{60,300}}"),
    (r"https://(?:[\w-]{1,60}\.webhook|outlook)\.office\.com/webhookb?2?/", r"[\w@/-]{60,300}"),
    # money and post
    ("whsec_", r"[A-Za-z0-9+/]{32,80}={0,2}"),
    ("FLWSECK(?:_TEST)?-", rf"{_WORD}{{12,64}}"),
    ("EZ[AT]K", rf"{_WORD}{{54}}"),
    ("shippo_(?:live|test)_", rf"{_HEX}{{40}}"),
    ("duffel_(?:live|test)_", r"[\w=-]{43}"),
    ("access-(?:sandbox|development|production)-", _UUID),
    ("pat-(?:na|eu)\\d-", _UUID),
    # watching, keys, networks
    ("NR(?:AK|JS|II|AA|IQ)-", rf"{_ANY}{{19,64}}"),
    ("glc_", r"[A-Za-z0-9+/]{32,400}={0,2}"),
    ("hv[br]\\.", rf"{_ANY}{{20,300}}"),
    ("ops_eyJ", r"[A-Za-z0-9+/]{100,2000}={0,3}"),
    ("A3-", rf"{_UPPER}{{6}}-(?:{_UPPER}{{5,11}}-){{3,5}}{_UPPER}{{5}}\b"),
    ("dnkey-", r"[\w=-]{26}-[\w=-]{52}"),
    ("sm_[aps]at_", rf"{_WORD}{{16}}\b"),
    ("aio_", rf"{_WORD}{{28}}\b"),
    (r"live_\d{5,12}_", rf"{_WORD}{{30}}\b"),
    ("fio-u-", r"[\w=-]{64}"),
)
PREFIXES = "|".join(prefix for prefix, _ in _FORMS)
TOKENS = (
    rf"{'|'.join(prefix + rest for prefix, rest in _FORMS)}"
    rf"|{_WORD}{{36}}NRAL\b|s\.(?=\D{{0,90}}\d){_ANY}{{24,120}}\b"  # New Relic; Vault, before hvs.
    rf"|[MNO]{_WORD}{{23,27}}\.{_ANY}{{6}}\.{_ANY}{{27,38}}\b"  # bots of Discord
    rf"|{_HEX}{{32}}-us\d{{1,2}}\b|{_WORD}{{14}}\.atlasv1\.[\w=-]{{60,80}}|{_WORD}{{6}}_{_WORD}{{29}}_mmk\b"
    r"|eyJ[\w-]{15,4096}\.[\w-]{0,1024}\.[\w-]{12,64}\.[\w-]{2,8192}\.[\w-]{20,64}"  # encrypted JSON web tokens
    r"|[\w~.]{1,3}\dQ~[\w~.-]{31,34}"  # a client's secret at Microsoft Entra
)
_FILE = re.compile(r".*\.[A-Za-z]{2,5}|.*//.*|[./~].*")


def looks_drawn(value: str) -> bool:
    """Return whether a value with a label was drawn at random: many different characters, and no name of a file."""
    if _FILE.fullmatch(value):
        return False
    if re.fullmatch(_UUID, value):
        return True
    if re.fullmatch(r"[0-9a-fA-F]+", value):
        return len(value) >= _LEAST_HEX and len(set(value.lower())) > 8
    digits, length = sum(map(str.isdigit, value)), len(value)
    mixed = value.lower() != value != value.upper() or length >= _LEAST_HEX
    bits = -sum(count / length * math.log2(count / length) for count in Counter(value).values())
    return digits > 1 and mixed and bits >= _LEAST_BITS


# Personal numbers of states by their form: a rule for each, and a check of its digits where there is one.
#
# The check digits are those of the states' own rules; ISO 7064 for Germany. Texts are those of `secrets.folded`.

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
