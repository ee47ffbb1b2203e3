"""Compares a Chinese claim with Chinese lines, clause by clause: negations, directions, extents and names of people.

Chinese is written without word spaces, so clauses are compared by pairs of characters, and names are recognised by
their surname and the words around them. A clause that agrees anywhere in the lines is no fault.
"""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise

from desktop_rag.agent.citations.claim_fault import ClaimFault

ALIKE = 0.6  # share of the pairs of a clause in the other one and the one before it, from which they speak of the same
OWN = 0.4  # the same in the other one alone
NEAR = 5  # characters before an object that say whether it is included
MIN_SHARED = 2  # characters of each part of parallel clauses
MIN_PAIRS = 2  # of a clause that says something
_HAN = r"\u4e00-\u9fff"
_CLAUSE = re.compile(r"[，。；：！？!?;\n]|,(?!\d)|(?<!\d)[.:]|[.:](?!\d)|[“”「」《》（）()]")
_SPECIFIC = r"\d[\d.,]*%?|(?:周|星期)[一二三四五六日天]"
_TOKEN = re.compile(rf"{_SPECIFIC}|[A-Za-z]+|[{_HAN}]")
_KANA = re.compile(r"[\u3040-\u30ff]")
# “Not only”, “whether or not”, “at least”: they contain a negation and deny nothing.
_IDIOM = re.compile(
    r"([是有能会可要])[不没]\1|不仅仅?|不但|不光|不只|不止|不单|不过|无论|不论|不管|不断|不同(?!意)|不少|不久|不得不|不等|不锈|不动产|"
    r"不足|是否|未来|无线|不(?:低|少|高|多|大|小|早|晚|迟|超)[于过]|不(?=[可]分)"
)
_NEGATION = re.compile(r"没有|没|未|并非|不|无(?=[需须法权人])|勿")
_OPPOSITES = tuple(
    (re.compile(one), re.compile(other))
    for one, other in (
        (
            r"上升|增[加长多至]|提[高升]|上涨|[扩增]大|升高|攀升|回升|上调",
            r"下[降跌滑调]|减[少低至]|降[低至]|缩[小减]|跌至|回落",
        ),
        (r"高于|多于|大于|超过|超出", r"低于|少于|小于|不足|不到"),
        (r"(?:之|以)前|早于|先于", r"(?:之|以)后|晚于|迟于"),
        (r"最[高大多长好早]", r"最[低小少短差晚]"),
        (r"开[放门业]|营业", r"闭馆|关[门闭]|停业|歇业|休息"),
        (r"允许|可以|准许", r"禁止|不得|不准|严禁"),
        (r"同意|批准|通过|赞成|支持|接受", r"拒绝|驳回|否决|反对"),
        (r"盈利|利润|收益|净赚", r"亏损|净亏"),
        (r"赢|获胜|胜出|击败", r"输给|落败|败给|战败"),
        (r"进口|买入|购[买入]|收购", r"出口|卖出|出售|售出"),
        (r"开始|启用|启动", r"结束|停用|终止|停止"),
        (r"包括|包含|含税", r"不包|除外|不含"),
    )
)
# What is written before a noun, too, is compared after 比 only.
_COMPARED = re.compile(
    rf"(?P<one>[{_HAN}A-Za-z\d]+?)比(?P<other>[{_HAN}A-Za-z\d]+?)(?:更|还|要)?"
    r"(?P<how>便宜|[大小多少高低长短远近重轻快慢早晚新旧贵强弱好差])"
)
_ADJECTIVES = ["大小", "多少", "高低", "长短", "远近", "重轻", "快慢", "早晚", "新旧", "强弱", "好差"]
_CONTRARY = {("贵", "便宜"), ("便宜", "贵"), *((two[a], two[1 - a]) for two in _ADJECTIVES for a in (0, 1))}
_UNANIMOUS = re.compile(r"一致|全票|全体|无人反对")
_VOTED_AGAINST = re.compile(r"[\d一二三四五六七八九十百两]+[票人名]{1,2}(?:投?反对|弃权)")
_CONSENT = "同意|许可|批准|授权|允许"
_WITHOUT = re.compile(rf"(?:没有|未经|未获|无需|无须|不经)[^，。；]{{0,12}}?(?:{_CONSENT})")
_REFUSED = re.compile(r"不得|不能|不可|不允许|禁止|严禁|不准")
_ALL = re.compile(r"全部|所有|全体|全都|一律|每[个位名家天年]|总是|始终|从[不未]|唯一|只有|完全|必须|一定")
_SOME = re.compile(r"部分|多数|一些|有些|少数|有时|通常|往往|一般|可能|可以|主要|几乎|大约|之一|若干|建议|应该?")
_SURNAMES = (
    "欧阳|司马|上官|诸葛|皇甫|尉迟|公孙|慕容|司徒|夏侯|"
    "[王李张刘陈杨赵吴徐孙朱胡郭罗郑梁谢邓冯韩曹彭萧蔡潘董袁蒋杜苏魏吕沈姚卢傅钟姜崔谭廖汪戴贾韦邱侯邹熊孟阎薛尹黎陶贺顾郝龚邵覃]|"
    "周(?![一二三四五六日末年期围])|宋(?![代朝])|唐(?![代朝])|叶(?![子片])|丁(?!香)"
)
_ALSO_WORDS = "[何高黄林马许任程金石田白江方夏曾段严钱万龙毛孔向余史雷秦范莫汤]"  # surnames that begin ordinary words
_OFFICE = "[长员人任师理者授席官记监手家]"  # the last character of most offices
_AFTER_NAME = r"(?=$|[是担任、和与及说表主负先女提出]|于\d|在|[（(])"
_NAME = re.compile(
    rf"(?:(?:^|[是由为叫任和与及、给向被请])(?P<name>(?:{_SURNAMES})[{_HAN}]{{1,2}}?)|"
    rf"{_OFFICE}[是为叫](?P<officer>{_ALSO_WORDS}[{_HAN}]{{1,2}}?)){_AFTER_NAME}"
)
_ROLE = re.compile(
    rf"^(?P<role>[{_HAN}]{{2,6}}?)(?:仍|现|则)?(?:是|为|由)(?P<name>(?:{_SURNAMES}|{_ALSO_WORDS})[{_HAN}]{{1,2}})(?:担任)?$"
)


def is_chinese(text: str) -> bool:
    """Return whether a text has Chinese characters and no Japanese ones."""
    return bool(re.search(f"[{_HAN}]", text)) and not _KANA.search(text)


def chinese_faults(claim: str, lines: str, known: str) -> tuple[ClaimFault, ...]:
    """Return where a claim contradicts the cited lines, and names that `known` (lines, context, question) lacks."""
    found = [*_names(claim, known)]
    others = _clauses(lines)
    for clause in _clauses(claim):
        found += (*_contradiction(clause, others), *_other_role(clause, others))
    if not found:
        clauses = _clauses(claim)
        found += (
            fault
            for check in (_compared_otherwise, _mixed, _other_object)
            for c in clauses
            for fault in check(c, others)
        )
        found += (*_split_vote(claim, lines), *_without_consent(claim, lines))
    return tuple({(fault.kind, fault.text): fault for fault in found}.values())


@lru_cache(maxsize=256)
def _clauses(text: str) -> tuple[str, ...]:
    return tuple(clause for part in _CLAUSE.split(text) if (clause := part.strip()))


def _contradiction(clause: str, others: tuple[str, ...]) -> Iterator[ClaimFault]:
    """Yield the negation, direction or extent in which all clauses that are most like this one differ from it."""
    pairs = _pairs(clause)
    if len(pairs) < MIN_PAIRS:
        return
    scored = [each for before, other in pairwise(("", *others)) for each in _alike(clause, before, other)]
    most = max((known for known, _ in scored), default=0)
    like = [text for known, text in scored if known == most]
    differing = [fault for other in like if (fault := _difference(clause, other))]
    if differing and len(differing) == len(like):
        yield differing[0]


def _alike(clause: str, before: str, other: str) -> Iterator[tuple[int, str]]:
    """Yield the clauses about the same subject, which may be named in the clause before, and how much they share."""
    pairs, own = _pairs(clause), _pairs(other)
    known = len(pairs & (own | _pairs(before)))
    specific = set(re.findall(_SPECIFIC, clause)) <= set(re.findall(_SPECIFIC, before + other))
    if specific and len(pairs & own) >= OWN * len(pairs) and known >= ALIKE * len(pairs):
        yield known, other
        if known - len(pairs & own) >= OWN * len(pairs):
            yield known, before + other


def _difference(clause: str, other: str) -> ClaimFault | None:
    here, there = _plain(clause), _plain(other)
    negations = _NEGATION.findall(here), _NEGATION.findall(there)
    opposed = [
        (mine[0], theirs[0])
        for one, two in _OPPOSITES
        for same, opposite in ((one, two), (two, one))
        if (mine := same.search(here)) and (theirs := opposite.search(there))
        and not opposite.search(here) and not same.search(there)
    ]  # fmt: skip
    denied = len(negations[0]) % 2 != len(negations[1]) % 2
    if denied != bool(len(opposed) % 2):
        if opposed:
            return ClaimFault("direction", *opposed[0])
        denial, denied_by = (found[0] if found else "" for found in negations)
        return ClaimFault("negation", denial or clause, denied_by)
    limit = _SOME.search(there)
    if (whole := _ALL.search(here)) and limit and not _ALL.search(there) and not _SOME.search(here):
        return ClaimFault("extent", whole[0], limit[0])
    return None


def _plain(clause: str) -> str:
    """Return a clause without the idioms that contain a negation."""
    return _IDIOM.sub("", clause)


@lru_cache(maxsize=1 << 11)
def _pairs(clause: str) -> frozenset[tuple[str, str]]:
    """Return the neighbouring characters and numbers of a clause without the words that are compared."""
    text = _NEGATION.sub("", _plain(clause))
    for sides in _OPPOSITES:
        for side in sides:
            text = side.sub("", text)
    tokens = _TOKEN.findall(_SOME.sub("", _ALL.sub("", text)))
    return frozenset(pairwise(tokens))


def _names(claim: str, known: str) -> Iterator[ClaimFault]:
    for clause in _clauses(claim):
        for found in _NAME.finditer(clause):
            name = found["name"] or found["officer"]
            if name not in known:
                yield ClaimFault("name", name)


def _other_role(clause: str, others: tuple[str, ...]) -> Iterator[ClaimFault]:
    """Yield a name whose role the lines give to somebody else: “馆长是沈若兰”."""
    if mine := _ROLE.match(clause):
        held = [theirs["name"] for other in others if (theirs := _ROLE.match(other)) and theirs["role"] == mine["role"]]
        if held and mine["name"] not in held:
            yield ClaimFault("name", mine["name"], held[0])


def _compared_otherwise(clause: str, others: tuple[str, ...]) -> Iterator[ClaimFault]:
    """Yield “小” of 甲比乙小 where the lines say 甲比乙大 or 乙比甲小."""
    if (mine := _COMPARED.search(clause)) is None:
        return
    for theirs in filter(None, map(_COMPARED.search, others)):
        straight, crossed = (
            all(_is_within(mine[said], theirs[read]) for said, read in zip(("one", "other"), order, strict=True))
            for order in (("one", "other"), ("other", "one"))
        )
        contrary = (mine["how"], theirs["how"]) in _CONTRARY
        if straight != crossed and (contrary if straight else mine["how"] == theirs["how"]):
            yield ClaimFault("direction", mine[0], theirs[0])
            return


def _is_within(one: str, other: str) -> bool:
    return one in other or other in one


def _mixed(clause: str, others: tuple[str, ...]) -> Iterator[ClaimFault]:
    """Yield a clause with the subject of one parallel clause and the object of the next: 甲负责运输，乙负责仓储."""
    for one, other in pairwise(others):
        match = SequenceMatcher(None, one, other, autojunk=False).find_longest_match()
        heads = one[: max(match.a, MIN_SHARED)], other[: max(match.b, MIN_SHARED)]
        tails = one[match.a + match.size :], other[match.b + match.size :]
        if match.size < MIN_SHARED or not (match.a and match.b) or min(map(len, tails)) < MIN_SHARED:
            continue
        for head, tail in ((0, 1), (1, 0)):
            has = heads[head] in clause and tails[tail] in clause
            if has and heads[tail] not in clause and tails[head] not in clause:
                yield ClaimFault("name", heads[head], heads[tail])
                return


def _other_object(clause: str, others: tuple[str, ...]) -> Iterator[ClaimFault]:
    """Yield “包括” before what the lines have after “不包括” or another opposite only."""
    for one, two in _OPPOSITES:
        for same, opposite in ((one, two), (two, one)):
            said = same.search(clause)
            thing = clause[said.end() :] if said else ""
            if said is None or len(thing) < MIN_SHARED or _NEGATION.search(clause) or opposite.search(clause):
                continue
            heads = [other.partition(thing)[0][-NEAR:] for other in others if thing in other]
            if heads and all(_is_contrary(head, same, opposite) for head in heads):
                yield ClaimFault("direction", clause[said.start() :], heads[0] + thing)
                return


def _is_contrary(head: str, same: re.Pattern[str], opposite: re.Pattern[str]) -> bool:
    """Return whether the last word of both sides before an object is the opposite one, or denied."""
    found = [(match.start(), each is opposite) for each in (same, opposite) for match in each.finditer(head)]
    at, contrary = max(found, default=(0, False))
    return bool(found) and contrary != bool(_NEGATION.search(head[:at]))


def _split_vote(claim: str, lines: str) -> Iterator[ClaimFault]:
    whole, against = _UNANIMOUS.search(claim), _VOTED_AGAINST.search(lines)
    if whole and against and not _UNANIMOUS.search(lines):
        yield ClaimFault("extent", whole[0], against[0])


def _without_consent(claim: str, lines: str) -> Iterator[ClaimFault]:
    """Yield “没有…同意” of what a claim allows and the lines forbid without it."""
    said, read = _WITHOUT.search(claim), _WITHOUT.search(lines)
    if said and read and _REFUSED.search(lines, read.end()) and not _REFUSED.search(claim):
        yield ClaimFault("negation", said[0], lines[read.start() :].split("。")[0])
