"""The contract of every engine as data: files, queries of every form, and the differences that are known by name."""

from desktop_rag.retrieval.api import Mode
from tests.integration.retrieval.conftest import FILES as FEW

_TOPICS = ("pump", "lease", "turbine", "invoice", "harbour", "vaccine")
_ENGLISH = """# Report {number} on the {topic}

The {topic} was inspected on {day} March {year}. Its boundary layer is thin, and the outer layer of the boundary is not.
Heat flows into the {other}. Nobody measured the pressure{extra}.

## Costs of the {topic}

The {other} costs {price} euros a year. Wing and body of the {topic} were not replaced.
"""
_GERMAN = """# Bericht {number} über die {topic}

Die Prüfung der Anlage fand am {day}. März {year} statt. Die Universität Zürich hat die Häuser vermessen.
Die Kosten betragen {price} Euro.
"""
_CHINESE = """# 报告 {number}

北京大学的研究人员检查了设备。费用为 {price} 元。
"""
_MAIL = """From: Ada Lovelace <ada@example.org>
To: "Turing, Alan" <alan@example.org>
Subject: Offer {number} for the {topic}
Date: {day} Mar {year} 10:00:00 +0000
Message-ID: <offer-{number}@example.org>

Dear Alan,
the offer for the {topic} is valid for thirty days. The notice period is three months.
"""


def _file(number: int) -> tuple[str, str]:
    values: dict[str, object] = {
        "number": number,
        "topic": _TOPICS[number % 6],
        "other": _TOPICS[(number // 2) % 6],
        "day": 1 + number % 28,
        "year": 2019 + number % 6,
        "price": 1000 + 137 * number,
        "extra": " of parseHttpRequest" if number % 5 == 0 else "",
    }
    match number % 8:
        case 0:
            return f"de/bericht-{number}.md", _GERMAN.format(**values)
        case 1:
            return f"zh/{number}.txt", _CHINESE.format(**values)
        case 2:
            return f"mail/offer-{number}.eml", _MAIL.format(**values)
        case _:
            return f"reports/{values['topic']}/{number}.md", _ENGLISH.format(**values)


FILES = {**FEW, **dict(map(_file, range(56)))}

WORDS = (
    "boundary",
    "boundary layer",
    "the pump",
    "pumps language:en",  # in German texts only the inflected forms of “pumps” count here
    "what does the turbine cost",
    "rent deposit",
    "+rent deposit",
    "rent -cat",
    "(wing OR offer) AND NOT turbine",
    "NOT layer",
    "layer^3 pump",
    '"boundary layer"',
    '"layer boundary"',
    '"layer boundary"~5',
    '"outer boundary"~2',
    '"of the"',
    "title:pump",
    'title:"report 3"',
    "content:pump",
    "pres*",
    "pr*s?re",
    "bounda?y",
    "boundray~1",
    "bonudary~2",
    "=Pump",
    "=pump",
    "=Zürich",
    "zurich",
    "Universität",
    '"北京大学"',
    "研究人员",
    "1,137",
    "parse request",
    "parseHttpRequest",
    '"http request"',
    "bericht",
    "offer-10",
)
"""Queries of words: the same passages, the same counts, and nearly the same order."""

FILES_ASKED = (
    "layer folder:turbine",
    "folder:reports/turbine",
    "layer folder:t*",
    "ext:eml",
    "ext:e?l offer",
    "path:zh/",
    "name:bericht",
    "name:ber*",
    "language:de",
    "language:german kosten",
    "from:ada",
    'to:"alan turing"',
    'subject:"for the vaccine"',
    'subject:"the vaccines"',
    "subject:vaccines",
    "subject:accine",
    "subject:vacc*",
    "from:da",
    "name:ericht",
    "offer sent:2021",
    "sent:[2020 TO 2021]",
    "modified:today pump",
    "modified:2001",
    "pump OR ext:eml",
    "pump NOT language:en",
    "-ext:md",
)
"""Queries with conditions on files and mails: the same documents."""

MEANING = (
    "how much money is needed every year",
    "may the tenant leave early",
    "boundary layer of the pump",
    '"boundary layer" AND turbine',
)
"""Queries asked in the modes of meaning: the same passages, nearly the same order."""

MEANING_MODES = (Mode.SEMANTIC, Mode.HYBRID, Mode.LINKED, Mode.RERANKED, Mode.BEST)

KNOWN_STOCK = {
    "what does the turbine cost": "of a word in a text of another language than English, whose inflected forms count, "
    "the score is up to 16 % higher, so that such a text can stand before others"
}
"""Queries whose passages have another order in stock Whoosh, and why; all other lists are the same."""

KNOWN = {"Häusern": "words of other languages than English match by their English stem, not by their inflected forms"}
"""Queries that differ, and why."""
