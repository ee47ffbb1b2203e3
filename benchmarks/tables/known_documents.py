"""Writes contracts and papers whose values are known, in the forms in which people write such documents.

What a document does not say is known, too, and every document has other names, dates and amounts beside those asked
for. Another seed gives other documents: forms are tuned on one, measured on another.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from desktop_rag.text.dates import ENGLISH_MONTHS
from desktop_rag.work.columns import Column, Kind

CONTRACTS, PAPERS = 40, 30

LAWS = ("England", "Germany", "France", "Switzerland")
CONTRACT_COLUMNS = (
    Column("Landlord"),
    Column("Tenant"),
    Column("Rent per month", Kind.AMOUNT),
    Column("Deposit", Kind.AMOUNT),
    Column("Start date", Kind.DATE),
    Column("Notice period", Kind.AMOUNT),
    Column("Governing law", Kind.ONE_OF, LAWS),
    Column("Pets allowed", Kind.YES_NO),
    Column("Parking fee", Kind.AMOUNT),
    Column("Break date", Kind.DATE),
)
PAPER_COLUMNS = (
    Column("Authors"),
    Column("Submission date", Kind.DATE),
    Column("Dataset"),
    Column("Number of participants", Kind.AMOUNT),
    Column("Accuracy", Kind.AMOUNT),
    Column("Method"),
    Column("Code available", Kind.YES_NO),
    Column("Funding"),
)
_FIRST = (
    "Anna",
    "Boris",
    "Chiara",
    "David",
    "Elif",
    "Farid",
    "Greta",
    "Hamza",
    "Ines",
    "Jonas",
    "Katya",
    "Mei",
    "Noor",
)
_LAST = ("Adler", "Baumann", "Castellani", "Dupont", "Eriksen", "Gallagher", "Ivanov", "Jansen", "Keller", "Moretti")
_FIRMS = ("Harbour Estates Ltd", "Kestrel Property GmbH", "Lakeside Homes AG", "Northgate Lettings LLP")
_STREETS = ("12 Mill Lane", "48 Harbour Street", "7 Station Road", "103 Orchard Way", "5 Bridge Close")
_NUMBERS = ("one", "two", "three", "four", "five", "six")


@dataclass(frozen=True, slots=True)
class KnownDocument:
    """A file and the values of its columns; None for what it does not say."""

    name: str
    text: str
    values: Mapping[str, str | None]


def contracts(seed: int) -> tuple[KnownDocument, ...]:
    """Return leases in six forms."""
    chance = random.Random(f"contracts {seed}")
    forms = (_terms_list, _terms_table, _deed, _plain_letter, _numbered, _amended)
    return tuple(_contract(number, forms[number % len(forms)], chance) for number in range(CONTRACTS))


def papers(seed: int) -> tuple[KnownDocument, ...]:
    """Return papers in four forms."""
    chance = random.Random(f"papers {seed}")
    forms = (_journal_paper, _preprint, _structured_abstract, _thesis)
    return tuple(_paper(number, forms[number % len(forms)], chance) for number in range(PAPERS))


@dataclass(frozen=True, slots=True)
class _Lease:
    landlord: str
    tenant: str
    agent: str
    street: str
    rent: str
    deposit: str
    service: str
    parking: str | None
    start: date
    signed: date
    break_date: date | None
    notice: int
    law: str
    pets: bool | None


def _contract(number: int, form: Callable[[_Lease], str], chance: random.Random) -> KnownDocument:
    start = date(2018, 1, 1) + timedelta(days=chance.randrange(2_500))
    rent = chance.randrange(600, 4_000, 5)
    lease = _Lease(
        landlord=chance.choice((_person(chance), chance.choice(_FIRMS))),
        tenant=_person(chance),
        agent=_person(chance),
        street=chance.choice(_STREETS),
        rent=f"{rent:,} euros",
        deposit=f"{rent * chance.randrange(2, 4):,} euros",
        service=f"{chance.randrange(40, 300)} euros",
        parking=f"{chance.randrange(30, 120)} euros" if chance.random() < 0.4 else None,
        start=start,
        signed=start - timedelta(days=chance.randrange(5, 60)),
        break_date=start + timedelta(days=730) if chance.random() < 0.25 else None,
        notice=chance.randrange(1, 7),
        law=chance.choice(LAWS),
        pets=chance.choice((True, False, None)),
    )
    values: dict[str, str | None] = {
        "Landlord": lease.landlord,
        "Tenant": lease.tenant,
        "Rent per month": lease.rent,
        "Deposit": lease.deposit,
        "Start date": _long(lease.start),
        "Notice period": f"{lease.notice} months" if lease.notice > 1 else "1 month",
        "Governing law": lease.law,
        "Pets allowed": None if lease.pets is None else "yes" if lease.pets else "no",
        "Parking fee": lease.parking,
        "Break date": _long(lease.break_date) if lease.break_date else None,
    }
    return KnownDocument(f"lease-{number:02}.md", form(lease), values)


def _terms_list(lease: _Lease) -> str:
    pets = () if lease.pets is None else (f"Pets allowed: {'yes' if lease.pets else 'no'}",)
    terms = (
        f"Landlord: {lease.landlord}",
        f"Tenant: {lease.tenant}",
        f"Managing agent: {lease.agent}",
        f"Premises: {lease.street}",
        f"Rent per month: {lease.rent}",
        f"Service charge: {lease.service} a month",
        f"Deposit: {lease.deposit}",
        f"Start date: {_long(lease.start)}",
        *((f"Break date: {_long(lease.break_date)}",) if lease.break_date else ()),
        f"Notice period: {_months(lease.notice)}",
        *((f"Parking fee: {lease.parking} a month",) if lease.parking else ()),
        *pets,
        f"Governing law: {lease.law}",
    )
    listed = "\n".join(terms)
    general = f"## General\n\n{_GENERAL}\nSigned on {_long(lease.signed)}.\n"
    return f"# Tenancy agreement\n\n## Key terms\n\n{listed}\n\n{general}"


def _terms_table(lease: _Lease) -> str:
    pets = () if lease.pets is None else (("Pets", "allowed" if lease.pets else "not allowed"),)
    rows = (
        ("Landlord", lease.landlord),
        ("Tenant", lease.tenant),
        ("Premises", lease.street),
        ("Monthly rent", lease.rent),
        ("Deposit", f"{lease.deposit}, payable before the keys are handed over"),
        ("Start of the tenancy", _iso(lease.start)),
        *((("Break date", _iso(lease.break_date)),) if lease.break_date else ()),
        ("Notice period", _months(lease.notice)),
        *((("Parking", f"{lease.parking} a month"),) if lease.parking else ()),
        *pets,
        ("Law", f"the law of {lease.law}"),
    )
    table = "\n".join(f"| {name} | {value} |" for name, value in rows)
    return f"# Lease\n\n| Term | Value |\n|---|---|\n{table}\n\n{_GENERAL}\nThe agent is {lease.agent}.\n"


def _deed(lease: _Lease) -> str:
    pets = {None: "", True: "The Tenant may keep pets in the premises.", False: "No pets may be kept in the premises."}
    extra = f"\nA fee of {lease.parking} a month is due for the parking space.\n" if lease.parking else ""
    pause = f"\nEither party may end this lease early on {_long(lease.break_date)}.\n" if lease.break_date else ""
    return f"""# DEED OF LEASE

This deed is made on {_long(lease.signed)} between {lease.landlord} (the “Landlord”) and {lease.tenant} (the “Tenant”),
concerning the flat at {lease.street}.

## 1. Term

The lease begins on {_long(lease.start)} and runs for an indefinite time.{pause}

## 2. Rent

The Tenant pays a rent of {lease.rent} per month, in advance, and a service charge of {lease.service}.
{extra}
## 3. Deposit

The Tenant pays a deposit of {lease.deposit} before moving in. It is returned within six weeks after the end.

## 4. Notice

The notice period is {_months(lease.notice)} to the end of a month.

## 5. Use

The Tenant uses the flat as a home only. {pets[lease.pets]}

## 6. Governing law

This deed is governed by the law of {lease.law}.

{_GENERAL}"""


def _plain_letter(lease: _Lease) -> str:
    pets = {None: "", True: "You are welcome to bring your pets.", False: "Please note that pets are not allowed."}
    extra = f" The parking space costs {lease.parking} more." if lease.parking else ""
    return f"""{lease.landlord}
{lease.street}

{_long(lease.signed)}

Dear {lease.tenant},

we are glad that you take the flat. You move in on {_long(lease.start)}. Each month you pay us {lease.rent}; heating
comes to about {lease.service}.{extra} We ask for a deposit of {lease.deposit}.

If you want to leave, tell us {_months(lease.notice)} before. {pets[lease.pets]} All this is under the law of
{lease.law}.

Yours, {lease.agent}, for {lease.landlord}
"""


def _numbered(lease: _Lease) -> str:
    pets = "" if lease.pets is None else f"\n§ 7 Pets\nPets are {'allowed' if lease.pets else 'not allowed'}.\n"
    pause = f"\n§ 8 Break date\nThe break date is {_long(lease.break_date)}.\n" if lease.break_date else ""
    extra = f"\n§ 6 Parking\nThe parking fee is {lease.parking} a month.\n" if lease.parking else ""
    return f"""RENTAL CONTRACT

§ 1 Parties
Landlord is {lease.landlord}, represented by {lease.agent}. Tenant is {lease.tenant}.

§ 2 Start
The start date is {_long(lease.start)}.

§ 3 Rent
The rent per month is {lease.rent}. Ancillary costs of {lease.service} are added.

§ 4 Deposit
The deposit is {lease.deposit}.

§ 5 Notice period
Either side can end the contract with a notice period of {_months(lease.notice)}.
{extra}{pets}{pause}
§ 9 Final provisions
The governing law of this contract is that of {lease.law}. {_GENERAL}"""


def _amended(lease: _Lease) -> str:
    pets = {None: "", True: "Dogs and other pets are allowed now.", False: "As before, pets are not allowed."}
    extra = f"The former parking fee of 25 euros becomes {lease.parking}." if lease.parking else ""
    pause = f"The break date moves to {_long(lease.break_date)}." if lease.break_date else ""
    return f"""Third amendment to the lease of {lease.street}

between {lease.landlord}, 5 Quay Road ("Landlord"), and {lease.tenant}, born 4 May 1980 ("Tenant")

Landlord's agent: {lease.agent}
Landlord's account: held with the Harbour Bank
Tenant's guarantor: {lease.agent}

1. The rent per month of 450 euros was owed until 31 December 2017. From then on the rent per month is {lease.rent}.
2. The deposit of 900 euros was returned. The new deposit is {lease.deposit}.
3. The start date of the second lease was 1 February 2009; this one starts on {_long(lease.start)}.
4. The notice period of the law is three months; here a notice period of {_months(lease.notice)} is agreed.
5. The governing law was that of Germany until 2012, and is that of {lease.law} since.
{extra} {pause} {pets[lease.pets]}

Rent per month of the garage: 60 euros
"""


_GENERAL = """The premises are handed over clean. Minor repairs up to 100 euros a case are borne by the tenant. Keys
that are lost are replaced at cost. Changes of this agreement need the written form. The house rules of 1 January 2015
apply.
"""


@dataclass(frozen=True, slots=True)
class _Study:
    authors: str
    submitted: date
    dataset: str
    participants: int | None
    accuracy: str
    base: str
    method: str
    code: bool | None
    funding: str | None
    topic: str


_TOPICS = ("sleep staging", "bird song", "leaf disease", "handwriting", "road noise", "gait")
_DATASETS = ("SleepEDF-20", "XenoCanto-S", "PlantLeaves", "IAM-Lines", "UrbanRoad", "GaitLab-9")
_METHODS = ("a random forest", "a convolutional network", "gradient boosting", "a linear model", "a transformer")
_FUNDERS = ("the Wellcome Trust", "the Swiss National Science Foundation", "Horizon Europe", "the Carlsberg Foundation")


def _paper(number: int, form: Callable[[_Study], str], chance: random.Random) -> KnownDocument:
    topic = chance.randrange(len(_TOPICS))
    score = chance.uniform(70, 97)
    study = _Study(
        authors=", ".join(_person(chance) for _ in range(chance.randrange(2, 4))),
        submitted=date(2016, 1, 1) + timedelta(days=chance.randrange(3_200)),
        dataset=_DATASETS[topic],
        participants=chance.randrange(12, 400) if chance.random() < 0.7 else None,
        accuracy=f"{score:.1f} %",
        base=f"{score - chance.uniform(2, 9):.1f} %",
        method=chance.choice(_METHODS),
        code=chance.choice((True, False, None)),
        funding=chance.choice(_FUNDERS) if chance.random() < 0.7 else None,
        topic=_TOPICS[topic],
    )
    values: dict[str, str | None] = {
        "Authors": study.authors,
        "Submission date": _long(study.submitted),
        "Dataset": study.dataset,
        "Number of participants": str(study.participants) if study.participants else None,
        "Accuracy": study.accuracy,
        "Method": study.method,
        "Code available": None if study.code is None else "yes" if study.code else "no",
        "Funding": study.funding,
    }
    return KnownDocument(f"paper-{number:02}.md", form(study), values)


def _journal_paper(study: _Study) -> str:
    people = f"{study.participants} participants took part. " if study.participants else ""
    code = {
        None: "",
        True: "\n## Code\n\nThe code is available online.\n",
        False: "\n## Code\n\nThe code is not available.\n",
    }
    money = f"\n## Funding\n\nThis work was supported by {study.funding}.\n" if study.funding else ""
    return f"""# Recognising {study.topic}: a study

**Authors:** {study.authors}

**Submission date:** {_long(study.submitted)}

## Abstract

Much is written about {study.topic}. We train {study.method} and reach an accuracy of {study.accuracy}.

## 1 Introduction

{_PROSE}

## 2 Dataset

We use the dataset {study.dataset}. {people}Recordings with noise were left out.

## 3 Method

Our method is {study.method}, trained for 40 epochs on one machine.

## 4 Results

| Model | Accuracy | Time |
|---|---|---|
| Baseline | {study.base} | 12 s |
| Ours | {study.accuracy} | 31 s |
{code[study.code]}{money}"""


def _preprint(study: _Study) -> str:
    people = f" from {study.participants} participants" if study.participants else ""
    code = {None: "", True: " Our code is available on request.", False: " Our code is not available."}
    money = f"\n\nAcknowledgements. We thank {study.funding} for funding." if study.funding else ""
    return f"""Towards better {study.topic}

{study.authors}

Submitted {_long(study.submitted)}

Abstract. We look at {study.topic} with {study.method}. On {study.dataset}, with data{people}, it is right in
{study.accuracy} of the cases; the baseline is right in {study.base}.{code[study.code]}

{_PROSE}{money}
"""


def _structured_abstract(study: _Study) -> str:
    people = f"Number of participants: {study.participants}\n" if study.participants else ""
    code = "" if study.code is None else f"Code available: {'yes' if study.code else 'no'}\n"
    money = f"Funding: {study.funding}\n" if study.funding else ""
    return f"""# {study.topic.capitalize()} at home

Authors: {study.authors}
Submission date: {_iso(study.submitted)}
Dataset: {study.dataset}
Method: {study.method}
{people}Accuracy: {study.accuracy}
{code}{money}
## Discussion

{_PROSE} Earlier work reached {study.base}.
"""


def _thesis(study: _Study) -> str:
    pilot = "the pilot had 9 participants."
    people = f"The number of participants was {study.participants}; {pilot}" if study.participants else ""
    code = {None: "", True: "The code is available.", False: "The code is not available to others."}
    money = (
        f"Funding came from {study.funding}; the pilot had no funding." if study.funding else "There was no funding."
    )
    return f"""Chapter 4: {study.topic}

Authors of the first version: Rolf Meyer and others. This version is by {study.authors}.

The submission date of the first version was 3 March 2014. This one was submitted on {_long(study.submitted)}.

The dataset of the pilot was HomeSet-1; here the dataset is {study.dataset}. {people}

The accuracy of the pilot was {study.base}. The accuracy is {study.accuracy} now.

The method of the pilot was nearest neighbours. The method is now {study.method}. {code[study.code]} {money}
"""


_PROSE = """Earlier work compared devices of 2009 with those of 2014 and found few differences. Two reviewers judged 50
recordings each. What was said of children does not hold for adults."""


def _person(chance: random.Random) -> str:
    return f"{chance.choice(_FIRST)} {chance.choice(_LAST)}"


def _months(number: int) -> str:
    return "one month" if number == 1 else f"{_NUMBERS[number - 1]} months"


def _long(day: date) -> str:
    return f"{day.day} {ENGLISH_MONTHS[day.month - 1]} {day.year}"


def _iso(day: date) -> str:
    return day.isoformat()
