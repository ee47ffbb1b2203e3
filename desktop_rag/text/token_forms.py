"""Forms of the keys and tokens of services: a beginning that tells the service, then what it draws at random.

The facts are those that the services publish and that the rules of gitleaks go by. An identifier that opens nothing by
itself, such as the account SID of Twilio, is none.
"""

import math
import re
from collections import Counter

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
