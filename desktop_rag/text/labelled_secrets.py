"""Finds what a label tells to be secret: passwords, codes and keys, in sentences, settings and command lines.

A family is made of parts: a label in one of the languages, what it is for (“of the router”, “(Admin)”), a link (a
colon, “is”, nothing), quotation marks, and a value. The weaker a label and its link are, the more the value must look
like a secret: anything in quotation marks follows “password:”, only what was drawn at random follows “key:”.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from desktop_rag.text.token_forms import PREFIXES, looks_drawn

# Labels, in lower case. Words also end a longer name, such as PGPASSWORD, smtpPassword or Routerkennwort.
WORDS = (
    r"password|passwd|passwort|kennwort|pass(?:code|key)|pwd|secret[ _-]?(?:access[ _-]?)?key|mot de passe|contraseña"
    r"|senha|palavra-passe|parol[aă](?: d'ordine)?|wachtwoord|hasło|lösenord|passord|adgangskode|salasana|heslo|jelszó"
    r"|lozinka|şifre|пароль|κωδικός|密[码碼钥鑰]|口令|パスワード|비밀번호|كلمة (?:المرور|السر)|סיסמה|mật khẩu|pswd"
)
_SHORT_WORDS = (
    r"p/?w|psk|mdp|clave|geheimnis|geheimwort|codewor[dt]|requirepass|convertto-securestring"
    r"|snmp[ -](?:server[ -])?community(?: string)?"
)
_VERBS = r"pass|secret"  # and nouns of other things: a separator must follow
_PHRASES = (
    r"pass[ -]?phrase|(?:seed|recovery|secret|backup|mnemonic) (?:phrase|words)|sicherheitsantwort|security answer"
)
_KEYS = (
    r"(?:api|secret|access|client|auth|private|encryption|signing|master|recovery|wi-?fi|wlan|wpa\d?|network|account|bot"
    r"|(?:pre[ _-]?)?shared|shared[ _-]?access|storage|security|session|webhook|deploy|refresh|id|service|admin|bearer)"
    r"[ _-]?(?:key|token|secret)"
    r"|(?:[a-z0-9]{1,30}[_-]){1,4}(?:token|auth|secret)|session[ _-]?id|_auth(?:token)?|schlüssel"
    r"|(?:clé|clave|chiave|chave) (?:de la |de |del |della |da |do |d')?(?:wi-?fi|wpa|api|acc\w+|acesso|se[cg]r\w+)"
)
_PURPOSES = (
    r"access|pairing|security|verification|confirmation|one[ -]time|backup|recovery|unlock|activation|entry|login"
    r"|auth\w{0,12}|pin|tan|sms|2fa|mfa|zugangs|zutritts|zugriffs|sicherheits|bestätigungs|freischalt|aktivierungs|entsperr|einmal"
    r"|notfall|wiederherstellungs"
)
_CODES = (
    rf"(?:{_PURPOSES})[ -]?(?:codes?|pattern|muster)|pin|puk|tan|otp|c(?:vv|vc|sc)2?|geheim(?:zahl|nummer)"
    r"|numéro secret|digicode|(?:code|código|codice) (?:pin|se[cg]ret\w|confiden\w+"
    r"|(?:d'|de |del |di )(?:acc\w+|acesso|s[eéi][cg]u\w+|v[eéè]?ri\w+))"
    r"|[验驗校][證证验]码"
)
_OF_PLACES = r"\w*codes?|código|codice|[ck]ombinat?ion|combinaison|combinación|combinazione|combinação"
_PLACE = re.compile(  # a code near one of these opens it
    r"(?i)door|gate\b|alarm|garage|\bsafe|vault|lock|key ?(?:box|pad)|tür|\btor\b|tor-?code|tresor|schloss|schlüssel"
    r"|porte|portail|coffre"
    r"|\b(?:my|our|meine?|unsere?|mon|notre|mi|nuestr[oa])\b"
    r"|puerta|caja fuerte|candado|tarjeta|porta\b|portão|cofre|cancello|cassaforte|lucchetto|cart[ae]\b|karte|门|柜|锁"
)
_PLAIN = r"tokens?|keys?|credentials?|auth|authorization"
_USERS = r"admin|administrator|root"
_LOGINS = (
    r"log[io]n|log in|creds|credentials?|(?:admin|user|guest)[ -]account|(?:zugangs|anmelde|login)daten|identifiants"
    r"|credenciales|credenziali"
)
_AFTER = r"(?:e?s|\d{1,2}|_base|\.)?(?![a-zß-ɏа-ӿ])"  # Chinese letters may follow a label
_LABEL = re.compile(
    rf"(?:(?P<word>{WORDS})|(?P<short>{_SHORT_WORDS})|(?P<verb>{_VERBS})|(?P<phrase>(?<![^\W_])(?:{_PHRASES}))"
    rf"|(?P<code>(?<![^\W_])(?:{_CODES}))|(?P<place>(?<![^\W_])(?:{_OF_PLACES}))"
    rf"|(?P<key>{_KEYS})"
    rf"|(?P<capitals>(?<![^\W_])[a-z0-9]+_key)|(?P<user>(?<![^\W_])(?:{_USERS}))|(?P<login>(?<![^\W_])(?:{_LOGINS}))"
    rf"|(?P<plain>{_PLAIN})){_AFTER}"
)

_CHAR = r"[^\s\"“”„«»‘`,;<>|\x00-\x1f]"  # of a value without quotation marks
_SIGN = r"[!#$%^&*+?@~=](?=[\w!#$%&])"
# What begins no value: a variable, a placeholder, stars, a path, a call.
_START = r"(?![\"'\s{<(\[$*.:=/%,-]|https?:|\S+/\S+\.[a-z]{2,4}\b|[A-Za-z_][\w.]*[(\[]|self\.)"
_MIXED = rf"(?={_CHAR}{{0,99}}?[^\W\d_])(?={_CHAR}{{0,99}}?(?:\d|{_SIGN})){_CHAR}{{5,200}}"
_MARKED = rf"(?={_CHAR}{{0,99}}?(?:\d|{_SIGN}|[!?_-])){_CHAR}{{4,200}}"
_NAME = r"[^\W\d_]{5,40}"
_LETTERS = r"[a-z]{4}(?: [a-z]{4}){3}(?!\w)"  # as some mail services draw them
_DRAWN_GROUPS = r"(?=[A-Z-]{0,60}\d)(?=[\d-]{0,60}[A-Z])[A-Z\d]{4,8}(?:-[A-Z\d]{4,8}){3,9}(?![\w-])"  # of product keys
_DRAWN_LOW = (  # digits and small letters, or hexadecimal ones
    r"(?=(?:[0-9]{0,20}[a-z]){4})(?=(?:[a-z]{0,20}[0-9]){4})(?:[0-9a-f]{16,128}|[0-9a-z]{20,128})(?![\w-])"
)
_GROUPS = r"(?:\d{3,20}|\d\d(?=[ -]\d\d))(?:[ -]\d{2,8}){0,7}#?(?!\w|[.,]\d| ?[%€$]|-\w)"
_LONG_NUMBER = r"(?:\d{8,20}|\d{3,8}(?:[ -]\d{3,8}){2,7})(?!\w|[.,]\d)"
_CODED = (
    rf"(?:{_GROUPS}|(?=[\w-]{{0,20}}\d)(?=[\w-]{{3}})[A-Za-z0-9]{{1,12}}"
    r"(?:-[A-Za-z0-9]{1,12}){0,5}(?![\w-]))"
)
_OPEN = r"[(\"'“„«‘`*_]{0,3}"
_CLOSED = r"(?:</\w{1,10}>)?[\"'*_`)\]]{0,4}"
_SIGNED = r"(?=[^\n\"“”«»]{0,99}?[0-9!#$%&])"
_SEPARATOR = (
    r"[ \t.]{0,20}(?:=>|->|:=|:-|::|[=!]?==|\\?[:=|\t>→]|&#58;|&colon;| - |(?: [\w:]+=\"[^\"<>\n]*\"){1,5}>"
    r"|,?\s{1,40}[\"']?value[\"']?\s?[:=])"
    r"[*_]{0,2}[ \t]{0,40}"
)
_COPULA = (
    r"(?:,? (?:is|it's|was|to|are|now|ist|lautet|lauten|war|auf|heißt|est|es|sera|è|é|como|med)\b:?"
    r"(?: (?:now|jetzt|nun|die|der|das|le|la|il|el|o)\b)? "
    r"| ?[是为為は] ?)"
)
_ABOUT = (  # what it is for
    r"(?:[ ]?\([^()\n]{1,40}\)|[ ]?/[ ]?[\w-]{1,20}|[ ][\"'“‘][\w.@-]{1,40}[\"'”’]"
    r"|[ ][^\s:=|,;.!?\"“„«()]{1,24}){0,6}?"
)
_END = r"(?=[\"'*_`)]{0,3}[ \t\r]*(?:\n|\Z|[;&<]))"
_PLAIN_WORDS = re.compile(
    r"(?i)(?:required|optional|none|null|true|false|string|text|hidden|secret|empty|unset|unknown|disabled|enabled"
    r"|changed|default|invalid|erforderlich|leer|keine?s?|unbekannt|geheim)\Z|\D*(?:pass|wort|key|token|secret)\D*\Z"
)


def _quoted(name: str, ahead: str = "") -> str:
    return rf"[\"'“„«»‘`](?P<{name}>(?![\s{{<$%)\],;:]){ahead}[^\"“”«»’'`\n]{{3,200}}(?<!\s))[\"'”“«»’`]"


_RULES = {
    "word": (
        rf"{_CLOSED}{_SEPARATOR}(?:{_quoted('quoted')}|{_OPEN}{_START}(?P<value>{_MARKED}|{_LETTERS}))",
        rf"{_CLOSED}[ ]?[:=>][ ]?{_OPEN}{_START}(?P<name>{_NAME}){_END}",
        rf"{_CLOSED}(?:{_COPULA}|[ ]){_quoted('said')}",
        rf"{_CLOSED}(?:{_COPULA}|[ ](?!(?:19|20)\d\d\b)){_OPEN}(?P<number>\d{{4,12}})(?![\w%]|[.,]\d)",
        rf"[\"'\])]{{1,3}},[ ]?{_quoted('argument', _SIGNED)}",
        rf"{_CLOSED}(?:{_ABOUT}(?:{_SEPARATOR}|{_COPULA}|[ ])|[(\[;,](?=\S))"
        rf"(?:{_quoted('attribute', _SIGNED)}|{_OPEN}{_START}(?P<far>{_MIXED}))",
    ),
    "phrase": (rf"{_CLOSED}{_ABOUT}{_SEPARATOR}{_OPEN}(?P<words>[^\W\d_]{{2,20}}(?:[ -]\w{{1,20}}){{1,24}}){_END}",),
    "code": (
        rf"{_CLOSED}(?: ?(?:nr\.? ?)?\d{{1,3}}(?!\d))?{_ABOUT}(?:{_SEPARATOR}|{_COPULA})"
        rf"(?:[^\W\d_]{{2,15}} )?{_OPEN}(?P<code>{_CODED})",
        rf"{_CLOSED}(?:[ ][^\W\d_]{{3,15}})?[ ]{_OPEN}(?P<digits>(?:\d{{3}}(?:[ ]\d{{3}}){{1,2}}|\d{{3,8}}#?"
        r"|\d\d(?:-\d\d){2,3})(?!\w|[.,]\d| ?[%€$]|-\w))",
        r"[ ](?P<short>(?=[^\W\d_]{0,9}\d)(?=\d{0,9}[^\W\d_])[^\W_]{5,10}(?![\w-]))",
    ),
    "user": (
        r"(?: / |:[ ]?)(?P<value>(?=[^\s:/]{0,60}[\d!#$%&])(?=[^\s:/]{0,60}[^\W\d_])"
        r"[^\s:/,;\"'<>|()]{5,60}(?![:/\w]))",
    ),
    "key": (
        rf"{_CLOSED}{_ABOUT}(?:{_SEPARATOR}|{_COPULA})"
        rf"(?:{_quoted('quoted', _SIGNED)}|{_OPEN}{_START}(?P<value>{_MIXED}|{_LONG_NUMBER}))",
        rf"[ ](?P<groups>{_DRAWN_GROUPS})",
        rf"[ ]?[:=]?[ ]?{_OPEN}(?P<hex>{_DRAWN_LOW})",
    ),
    "login": (rf"{_CLOSED}{_ABOUT}[ ]?[:=][ ]?[^\s/:|,]{{1,60}}[ ]?[/:|,][ ]?{_OPEN}{_START}(?P<value>{_MIXED})",),
    "plain": (
        rf"{_CLOSED}[ ]?[:=]?[ ]?{_OPEN}(?P<groups>{_DRAWN_GROUPS}|{_DRAWN_LOW})",
        rf"[ ]?[:=]?[ ]?{_quoted('said', r'(?=[^0-9]{0,60}[0-9])(?=[^a-z]{0,60}[a-z])(?=[^ ]{8})')}",
        r"[\"'*_>` ]{0,4}(?:[:=|]|=>|\b(?:is|ist|lautet|est)\b:?| )[\"'“„*_` ]{0,4}"
        r"(?P<drawn>(?=[^\s\d]*\d)[A-Za-z0-9_~+/.-]{16,300}={0,2})(?![A-Za-z0-9:@])",
    ),
}
_RULES |= {
    "short": _RULES["word"],
    "verb": (*_RULES["word"][:2], rf"(?<=ecret) {_OPEN}{_START}(?P<value>{_MIXED})", *_RULES["plain"]),
    "place": _RULES["code"],
    "phrase": _RULES["phrase"] + _RULES["word"],
    "login": _RULES["login"] + _RULES["plain"],
}
_COMPILED = {kind: tuple(map(re.compile, rules)) for kind, rules in _RULES.items()}
_IS = r"(?:is|as|ist|als|est|comme|es|como|è|come)"
_BEFORE = re.compile(  # “hunter2 is the new password”, “mango77 (password)”
    rf"(?:{_quoted('said')}|(?<!\S){_START}(?P<value>{_MIXED}))(?:[ ][(\[]| {_IS} (?:[^\s.:]{{1,20}} ){{0,3}})\Z"
)
_CODE_BEFORE = re.compile(rf"(?<!\S)(?:[A-Z]-)?(?P<code>\d{{4,8}}) {_IS} (?:[^\s.:]{{1,20}} ){{0,3}}\Z")
_NEAR, _LINE = 100, 400  # characters around a label, and of a command
_FAR = ("word", "short", "phrase", "login")
_FAR_WORD = re.compile(r"(?<![^\s\"'“„«»‘`(\[:,/])[^\s\"'“”„«»‘`,;:/<>|()\[\]{}=]{6,64}(?![(=\[/:])")
_SIGNS, _LEAST_FAR = frozenset("!#$%&*+?@~^§€"), 6
# An address, a file, a version, a name with a number such as “Windows10” or “Sha256”, a date.
_NAMED = re.compile(
    r"\S+@\S+\.\S+|\S*[./]\w{1,5}\Z|\W*[A-Z]?[a-z]+-?v?\d{1,4}(?:\.\d+)*\Z|\W*\d[\d.:/-]*\w{0,3}\Z|\S*&[#a]"
)
_NEXT = re.compile(rf"(?:,| and| und| et| y| e|/| /)[ ](?:[^\W\d_]{{2,15}} )?(?P<code>{_CODED})")
# A word of a command line, and one that holds user and password. Exactly one group of each matches.
_WORD = r"(?:\"([^\"\n]{3,100})\"|'([^'\n]{3,100})'|(?![-\"'])([^\s\"'|;&]{3,100}))"
_PAIR = r"(?:\"[^\":%\n]*[:%]([^\"\n]{3,100})\"|'[^':%\n]*[:%]([^'\n]{3,100})'|[^\s:%\"'/]+[:%]([^\s\"'|;&/]{3,100}))"
_TOOLS = (  # commands, and the switches after which they take a password
    (r"curl|wget|https?|smbclient|rpcclient", rf"(?:-[uaU]|--(?:proxy-)?user|--auth)[ =]?{_PAIR}"),
    (r"mysql\w*|mariadb[\w-]*", rf"-p{_WORD}"),
    (
        r"sshpass|(?:docker|podman|az|registry) login|mongo\w*|7z[az]?|rar|unrar|rdesktop",
        rf"-h?p ?(?!\d{{2,5}}\b){_WORD}",
    ),
    (r"zip|unzip|sqlcmd|bcp|ipmitool|mosquitto_\w+", rf"-P ?{_WORD}"),
    (r"ssh-keygen", rf"-[NP] {_WORD}"),
    (r"sqlplus|lftp", r"(?:-u )?[\w.]{1,60}[/,]([^\s/@\"']{3,100})"),
    (r"redis-cli", rf"-a {_WORD}"),
    (r"ldap\w+|[bp]scp|psftp|plink", rf"-p?w {_WORD}"),
    (r"net", rf"(?:/user:\S+|user \w+) (?!/){_WORD}|\\\\\S+ (?!/){_WORD}(?= /user)"),
    (r"htpasswd", rf"-[a-zA-Z]*b[a-zA-Z]* \S+ \S+ {_WORD}"),
    (r"[xw]freerdp", rf"/p:{_WORD}"),
    (r"openssl", rf"(?:-k |-\w+ pass:){_WORD}"),
    (r"psexec|useradd|usermod", rf"-p ?{_WORD}"),
)
_SWITCHES = {name: re.compile(rf"(?<=\s)(?:{switches})") for name, switches in _TOOLS}
_COMMAND = re.compile(rf"(?i)\b(?:{'|'.join(_SWITCHES)})(?:\.exe)?(?= )(?=[^\n]{{0,400}}?(?: [-\\]|/))")
_COMMAND_END = re.compile(r"(?<!\\)\n")
_FILES = re.compile(
    r"(?m)(?:\bmachine\s+\S+|^default)\s+(?:login\s+\S+\s+)?(?:account\s+\S+\s+)?password\s+(\S+)"  # .netrc
    r"|^[^\s:#/]{1,80}:(?:\d{3,5}|\*):[^\s:]{1,60}:[a-z*][^\s:]{0,60}:(\S{3,100})$"  # .pgpass
    r"|(?i:\b(?:set-)?cookie2?[\"']?: ?[\"']?[\w.-]{1,60}=([^\s;\"']{6,2000}))"
    r"|(?i:\bauthorization[\"']?[ ]?[:=][ ]?[\"']?(?:[a-z]+ )?((?=[^\s\"']{0,60}\d)[^\s\"',;]{8,2000}))"
    r"|^(?:\d{1,7}: )?[ \t]*(?:export |set |ENV |- )?[A-Z][A-Z0-9_]*(?:PASS(?:W(?:OR)?D)?|PWD|SECRET|TOKEN)="
    r"[\"']?(?![\"'$<{%*\s])([^\s\"'#]{3,200})"  # environment
    r"|(?i:\bidentified by) '([^'\n]{3,100})'"
    r"|(?<![\w$])(\$(?:\d[a-z]?|y|apr1|argon2\w{1,2})\$[^\s:\"'<]{12,200}|\$krb5\w{2,9}\$[^\s\"'<]{16,2000})"
    r"|(?i:(?:auth|credential|directoryentry) ?=? ?\((?:[\"'][^\"'\n]{1,60}[\"'],\s{0,20}){1,2})"
    r"[\"']([^\"'\n]{3,100})[\"']\s?\)"
    r"|(?i:;[ ]?(?:password|pwd)=)(?![\"'{<$%#\s])([^;\"'\n]{3,100})(?=[;\"'\n]|\Z)"  # of a database
    r"|(?<!\S)--(?i:[\w-]{0,40}(?:token|passw\w{0,5}|passphrase|secret|api-?key))[ =]"
    r"[\"']?(?![-\"'$<{%/\s])([^\s\"']{5,300})"
    r"|\bAUTH (?:PLAIN|LOGIN) ([A-Za-z0-9+/]{12,200}={0,2})"
    r"|\becho [\"']?(?:[\w.-]+:)?([^\s:\"'|]{3,100})[\"']? ?\| ?(?:sudo )?(?:chpasswd|sudo -S|passwd --stdin)"
)


@dataclass(frozen=True, slots=True)
class SecretLabel:
    """A name of secrets at `start` to `end` of a text; `kind` is word, short, verb, phrase, code, key or plain."""

    start: int
    end: int
    kind: str


def labels(text: str) -> Iterator[SecretLabel]:
    """Yield the names of secrets in a text."""
    lowered = text.lower()
    if len(lowered) != len(text):  # “İ” becomes two characters
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    for found in _LABEL.finditer(lowered):
        start, end, kind = *found.span(), found.lastgroup or ""
        written, before = text[start:end], text[start - 1 : start]
        is_part = start and before.isalnum() and not (before.islower() and written[0].isupper())
        if is_part and (kind in ("short", "plain") or (kind == "key" and written[0] not in "sS")):
            continue  # “keyboard”, but “jenkinsToken”
        if is_part and kind == "verb" and text[start : end + 1].lower() not in ("secret:", "secret="):
            continue  # “compass”, but “dbPass”
        if kind == "capitals":
            kind = "key" if written.isupper() else "plain"
        if written not in ("pin", "tan", "otp", "puk"):
            yield SecretLabel(start, end, "short" if kind == "verb" and before == "_" else kind)


def labelled_secrets(text: str, found: Iterable[SecretLabel]) -> Iterator[tuple[int, int]]:
    """Yield start and end of what a label, a switch of a command or its place in a file tells to be secret."""
    at = 0
    for label in found:
        if label.start >= at and (span := _after(text, label)):
            yield span
            at = span[1]
            while label.kind == "code" and (more := _NEXT.match(text, at)):
                yield more.span("code")
                at = more.end()
    for entry in _FILES.finditer(text):
        yield entry.span(entry.lastindex or 0)
    for command in _COMMAND.finditer(text):
        end = next((each.start() for each in _COMMAND_END.finditer(text, command.end(), command.end() + _LINE)), -1)
        for name, switches in _SWITCHES.items():
            if re.fullmatch(rf"(?i:{name})(?:\.exe)?", command[0]):
                values = switches.finditer(text, command.end(), end if end >= 0 else command.end() + _LINE)
                yield from (value.span(value.lastindex or 0) for value in values)


def _after(text: str, label: SecretLabel) -> tuple[int, int] | None:
    """Return start and end of the value that follows a label, None if nothing secret does."""
    if text[label.start - 1 : label.start] in ("/", "\\") and text[label.end : label.end + 1] not in (":", "="):
        return None  # part of a path
    matches = [rule.match(text, label.end) for rule in _COMPILED[label.kind]]
    before = _BEFORE if label.kind in ("word", "short") else _CODE_BEFORE if label.kind == "code" else None
    if before:
        matches.append(before.search(text, max(0, label.start - _NEAR), label.start))
    for found in matches:
        name = found.lastgroup or "" if found else ""
        near = label.kind != "place" or _PLACE.search(text, max(0, label.start - _NEAR), label.end + _NEAR)
        if not near:
            continue
        if not found or (name == "drawn" and not looks_drawn(found[name])):
            continue
        if name not in ("name", "quoted", "said") or not _PLAIN_WORDS.match(found[name]):
            start, value = found.start(name), found[name]
            return start, start + len(value.rstrip(".)" if "(" not in value else "."))
    return _in_line(text, label) if label.kind in _FAR else None


def _in_line(text: str, label: SecretLabel) -> tuple[int, int] | None:
    """Return start and end of a word behind a label, in its line, that looks like nothing but a password."""
    for found in _FAR_WORD.finditer(text, label.end, label.end + _NEAR):
        if text.find("\n", label.end, found.start()) >= 0:
            break
        value = found[0].rstrip(".!?:'*_")
        kinds = (str.islower, str.isupper, str.isdigit, _SIGNS.__contains__)
        if (
            len(value) >= _LEAST_FAR
            and sum(any(map(is_kind, value)) for is_kind in kinds) > 2
            and not _NAMED.match(value)
        ):
            return found.start(), found.start() + len(value)
    return None


# Finds secrets that are broken: over lines, cells, list items, quoted mails, or by marks between their groups.
#
# Such numbers are rarer than tables of figures, so a card number counts only in its usual groups and, unless it is
# broken once at the end of a line, near a word such as “card”. Account numbers have check digits that are rarely right
# by chance.

_MARK = r"(?:[^\w\n]|_)"  # what may stand between the parts
_SECRET_LINE = (
    rf"\n(?>\d{{1,7}}: )?(?>\d{{1,2}}\. )?{_MARK}{{0,12}}"  # a line break, a line's number, marks of lists and cells
)
_BREAK = rf"{_MARK}{{0,6}}{_SECRET_LINE}(?:{_SECRET_LINE})?"
_GAP = rf"(?>{_BREAK}|{_MARK}{{1,7}})"
_CARD = re.compile(
    rf"(?<![\w.])(?:\d{{4}}{_GAP}\d{{4}}{_GAP}\d{{4}}{_GAP}\d{{4}}|\d{{4}}{_GAP}\d{{6}}{_GAP}\d{{4,5}})(?!\w)"
    rf"|(?<![\w.])\d{{2,17}}{_BREAK}\d{{2,17}}(?!\w)"
)
_GROUPED = re.compile(r"\d{4}(?:\D+\d{4}){3}|\d{4}\D+\d{6}\D+\d{4,5}")
_CARD_WORD = re.compile(
    r"(?i)card|karte|carte|tarjeta|cart[ãa]o|carta|kaart|kort|karta|карт|visa|maestro|amex|american express"
    r"|卡|カード|카드"
)
_CONTEXT = 200  # characters before a number in which such a word stands
_IBAN = re.compile(rf"(?<![^\W_])[A-Za-z]{{2}}\d{{2}}(?>(?:{_GAP})?[A-Za-z0-9]{{1,30}}){{2,12}}")
_PREFIX = (
    r"(?:AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|xox[abposr]-|sk-|[rs]k_(?:live|test)_|AIza|ya29\.|GOCSPX-|eyJ|npm_|pypi-"
    r"|hf_|SG\.|AGE-SECRET-KEY-1|dop_v1_|shp(?:at|ca|pa|ss)_|dapi|glsa_|hvs\.|ATATT3|PMAK-|sq0(?:csp|atp)-"
    rf"|(?=\S{{8}})(?:{PREFIXES}))"
)
_PART = r"(?>[\w.=-]{1,300})"
_TOKEN = re.compile(rf"\b{_PREFIX}(?:{_PART})?(?:{_BREAK}{_PART}){{1,8}}")
_BETWEEN = re.compile(_BREAK)
_LINE_NUMBER = re.compile(r"(?<=\n)\d{1,7}: (?:\d{1,2}\. )?|(?<=\n)\d{1,2}\. ")
_CELL = re.compile(r"(?=[^\s]*[^\W\d_])(?=[^\s]*[\d!#$%^&*+?@_~=-])[^\s]{5,200}")
_CODE = re.compile(r"\d{3,12}")
_LABELS = frozenset({"word", "short", "phrase", "key", "code"})
_LONGEST_NAME = 40  # characters of a column
_ROWS = 500  # of a table below its header
_BELOW = re.compile(
    r"(?: (?:of|for|to|von|vom|zu|zum|für|de|du|pour|di|per|para)\b[^\n:|]{1,60}(?=:))?"
    rf"{_MARK}{{0,6}}{_SECRET_LINE}(?:{_SECRET_LINE})?(?P<value>(?=[^\s|;,\"]*\d)(?=[^\s|;,\"]*[^\W\d_])[^\s|;,\"]{{5,200}}?|\d{{3,12}})(?=[\"'|]{{0,2}}\s*(?:\n|\Z|\|))"
)


def broken_numbers(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and digits of what may be a card number: its form fits, its check digit is not looked at."""
    at = 0
    while found := _CARD.search(text, at):
        plain = _LINE_NUMBER.sub("", found[0])
        grouped = _GROUPED.fullmatch(plain) is not None
        near = _CARD_WORD.search(text, max(0, found.start() - _CONTEXT), found.start())
        if near or (grouped and found[0].count("\n") == 1 and _is_broken_once(plain)):
            yield found.start(), found.end(), "".join(filter(str.isdigit, plain))
        at = found.start() + 1
        while at < len(text) and text[at].isalnum():
            at += 1


def _is_broken_once(text: str) -> bool:
    """Return whether the groups within the lines of a number are divided as usual."""
    return all(re.fullmatch(r"\D*\d+(?:[ .-]\d+)*\D*", line) for line in text.split("\n"))


def broken_accounts(text: str) -> Iterator[tuple[int, str]]:
    """Yield the start of what may be an account number (IBAN), and the text from there."""
    for found in _IBAN.finditer(text):
        yield found.start(), found[0]


def broken_tokens(text: str) -> Iterator[tuple[int, list[tuple[int, str]]]]:
    """Yield the start of a token that continues in other lines, and the end and text of each of its parts."""
    for found in _TOKEN.finditer(text):
        parts, at = list[tuple[int, str]](), 0
        for between in _BETWEEN.finditer(found[0]):
            parts.append((found.start() + between.start(), found[0][at : between.start()]))
            at = between.end()
        yield found.start(), [*parts, (found.end(), found[0][at:])]


def broken_passwords(text: str, labels: Iterable[SecretLabel]) -> Iterator[tuple[int, int]]:
    """Yield start and end of passwords and codes that stand alone in the line below their name."""
    for label in labels:
        found = _BELOW.match(text, label.end) if label.kind in _LABELS else None
        if not found or (found["value"].isdecimal() and label.kind != "code"):
            continue
        cells = _line_at(text, label.start).count("|")
        if cells < 3 or cells != _line_at(text, found.start("value")).count("|"):  # else a column has this name
            yield found.span("value")


def _line_at(text: str, place: int) -> str:
    end = text.find("\n", place)
    return text[text.rfind("\n", 0, place) + 1 : end if end >= 0 else len(text)]


def password_columns(text: str, labels: Iterable[SecretLabel]) -> Iterator[tuple[int, int]]:
    """Yield start and end of what stands below a header such as “password” in a table with cells divided like it."""
    for label in labels:
        at = text.rfind("\n", 0, label.start) + 1
        end = text.find("\n", label.end)
        mark = next((mark for mark in "|\t;," if mark in text[at:end]), "") if end > 0 and label.kind in _LABELS else ""
        column, names = text.count(mark or "|", at, label.start), text[at:end].split(mark or "|")
        if not mark or len(_LINE_NUMBER.sub("", f"\n{names[column]}").strip()) > _LONGEST_NAME:
            continue
        for _ in range(_ROWS):
            at = end + 1
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            cells = text[at:end].split(mark)
            if at >= len(text) or len(cells) != len(names):
                break
            value = cells[column].strip("\"'* \r")
            if (_CODE if label.kind == "code" else _CELL).fullmatch(value):
                start = at + sum(len(cell) + 1 for cell in cells[:column]) + cells[column].index(value)
                yield start, start + len(value)
