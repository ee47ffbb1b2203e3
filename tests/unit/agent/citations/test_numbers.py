from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_rag.agent.citations.numbers import figures_not_in


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("It began on 3 March 2021.", "2021-03-03"),
        ("It began on 3 March 2021.", "03/03/2021"),
        ("It began on March 3rd, 2021.", "am 3. März 2021"),
        ("Es begann am 3. März 2021.", "le 3 mars 2021"),
        ("It began on 3 March 2021.", "2021年3月3日"),
        ("It began on 3 March 2021.", "Minutes of 2021: on 3 March the chair opened the meeting"),
        ("It began in March 2021.", "3.3.2021"),
        ("It began in 2021.", "3.3.2021"),
        ("On 6 January 2026 he wrote.", "20260106_11:30"),
        ("It opens at 2:30 pm.", "14:30"),
        ("It begins at 7:30 in the evening.", "at 19:30"),
        ("Es beginnt um 7:30 Uhr abends.", "at 7:30 pm"),
        ("It begins at 19:30.", "Evening concert: 7:30"),
        ("It begins at 7:30.", "at 7:30 p.m."),
        ("Geöffnet ab 14:30 Uhr", "from 2.30 p.m."),
        ("It costs 1,200 euros.", "1.200 €"),
        ("It costs 1200.", "1 200.00"),
        ("They have 1.2k users.", "1,200 users"),
        ("Capital expenditure was $1,577 million.", "Purchases of equipment (1,577) (1,373)"),
        ("Revenue was $1.577 billion.", "1,577 million dollars"),
        ("It lost $5m.", "5 million dollars"),
        ("It fell by 12.5%.", "12,5 Prozent"),
        ("It fell by 5 per cent.", "5"),
        ("About 1,200 came.", "1,234 came"),
        ("Roughly 3.5 million people", "3,512,000"),
        ("The service is due after 12 months.", "every twelve months"),
        ("On the 3rd working day", "on the third working day"),
        ("25 Leute kamen.", "fünfundzwanzig Leute"),
        ("Between 1 and 2 bar", "between one and two bar"),
        ("From 2019–2021", "2019-2021"),
        ("Order B12.", "vitamin B12"),
        ("In Q3 2021", "the third quarter of 2021"),
        ("FY2022 was good.", "the fiscal year 2022"),
        ("3. The rent is 950 euros.", "The rent is 950 euros."),
        ("It is 5 km away.", "5km"),
        ("Nothing counts here.", ""),
        ("The deposit is two months of rent.", "The deposit is two months' rent."),
        ("Die Frist beträgt drei Monate.", "a period of 3 months"),
        ("After twelve months it ends.", "every 12 months"),
        ("The two parties met one month later.", "The landlord and the tenant met in May"),
        ("Gesperrt ist von 5 bis 7 Uhr abends.", "Sperrzeit von 17 bis 19 Uhr"),
        ("It is closed from 9 to 11 am.", "from 9:00 to 11:00"),
        ("Es dauerte zwei Stunden.", "zwei Arbeitsstunden zu je 72 Euro"),
        ("Zu bauen ist bis 30.09. im Hof.", "by 30 September"),
    ],
)
def test_a_figure_is_found_in_any_spelling(claim: str, source: str) -> None:
    assert figures_not_in(claim, [source]) == ()


@pytest.mark.parametrize(
    ("claim", "source", "figures"),
    [
        ("The rent is 850 euros.", "The rent is 950 euros.", ("850 euros",)),
        ("It begins at 7:30 in the morning.", "at 19:30", ("7:30 in the morning",)),
        ("It begins at 19:30 in the morning.", "at 19:30", ("19:30 in the morning",)),
        ("Es beginnt um 7:30 Uhr morgens.", "at 7:30 pm", ("7:30 Uhr morgens",)),
        ("The rent is 95 euros.", "The rent is 950 euros.", ("95 euros",)),
        ("The rent is 950 euros, the fee 15.", "The rent is 15 euros, the fee 90.", ("950 euros",)),
        ("It fell by 5 %.", "It fell by 5 €.", ("5 %",)),
        ("It has 5 million.", "5 thousand", ("5 million",)),
        ("1,200 came.", "1,234 came", ("1,200",)),
        ("About 1,200 came.", "1,434 came", ("1,200",)),
        ("It began on 4 March 2021.", "03/03/2021", ("4 March 2021",)),
        ("It began on 3 March 2021.", "on 3 March 2020", ("3 March 2021",)),
        ("It began on 3 March 2021.", "in March 2021", ("3 March 2021",)),
        ("It began in 2020.", "3 March 2021", ("2020",)),
        ("It opens at 14:30.", "15:30", ("14:30",)),
        ("Order B12.", "Order 12.", ("B12",)),
        ("The deposit is four months of rent.", "The deposit is two months' rent.", ("four months",)),
        ("Die Frist beträgt vier Wochen.", "in sechs Wochen", ("vier Wochen",)),
        ("- (2) The rent is 850.", "The rent is 950, see 2.", ("850",)),
    ],
)
def test_a_missing_figure_is_reported_as_written(claim: str, source: str, figures: tuple[str, ...]) -> None:
    assert figures_not_in(claim, [source]) == figures


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Net sales were $900.0 million.", "(in thousands) 2021\nNet sales 900,033"),
        ("Net sales were $900.0 million.", "Net sales 900,033 851,000"),
        ("Net sales were $0.9 billion.", "(in thousands)\nNet sales 900,033"),
        ("1.5 million users", "1,500,000 users"),
        ("1,500,000 users", "1.5 million users"),
        ("about 1.5 million", "1,512,334"),
        ("12.4 %", "12.43 %"),
        ("an accuracy of 85.3 %", "accuracy 0.853"),
        ("It rose 2.8 %", "2.8%"),
        ("two thirds of voters", "66.7 % of voters"),
        ("a third of sales", "33 % of sales"),
        ("half of the staff", "50% of staff"),
        ("One in four", "25 percent"),
        ("Die Hälfte der Mitarbeiter", "50 % der Mitarbeiter"),
        ("Revenue in Q2 2022", "three months ended June 30, 2022"),
        ("in the 1990s", "In 1994 he"),
        ("a one-year term of 12 months", "1 year"),
        ("90 minutes", "1.5 hours"),
        ("The lease is 5-year", "a lease of five years"),
        ("1,234 million euros", "1.234 Mio. EUR im Jahr"),
        ("2.5 million", "zweieinhalb Millionen"),
        ("25,000 people", "twenty-five thousand people"),
        ("SST2 is used", "SST-2"),
        ("GLM 130B", "GLM-130B"),
        ("as in 10-K", "Form 10-K for"),
        ("COVID-19-related", "due to COVID-19"),
        ("Revenue of 3.5 lakh crore", "₹3,50,000 crore"),
        ("₹12,34,567", "1,234,567 rupees"),
        ("between 3 and 5 percent", "3%–5%"),
        ("2022年收入为666.08亿美元。", "(Dollars in millions) 2022\nRevenues 66,608"),
        ("It falls approximately 1,000 feet.", "It falls 1,025 feet (312 m)."),
        ("The profit was 360,000 euros.", "in Tausend Euro\n360"),
        ("Eight new members voted.", "nine votes"),
        ("It begins at 7:30.", "at 19:30"),
        ("It opens at 20:15.", "It opens at 8:15."),
        ("$3-5 million", "$3 million to $5 million"),
        ("The loss was $31 million", "(in millions)\nLoss (31) 20"),
        ("rose 200 basis points", "2 percentage points"),
        ("$12.6 billion", "Property, plant and equipment, net 12,645\n(Dollars in millions)"),
        ("It scored 0.94 points.", "a score of 0.94"),
        ("It gained 7.7 points.", "7.7% point absolute improvement"),
        ("(1) The rent is 5 euros, (2) heating is extra.", "rent 5 euros, heating extra"),
        ("page 12 says 950", "950"),
        ("FY21 sales", "fiscal year 2021 sales"),
        ("in fiscal 2023", "FY2023"),
        ("Best Buy generated $1.8 bn", "Total cash provided by operating activities 1,824 3,252\n$ in millions"),
        ("The 3.4 % of 5 GB", "3.4% 5gb"),
        ("On 28 January 2023", "January 28, 2023"),
        ("Pfizer 's Q22023", "second quarter of 2023"),
        ("In the first quarter", "January | 3100\nFebruary | 2900\nMarch | 3300"),
        ("2,018 in millions", "(in millions) 2,018"),
        ("over 500 people", "527 people"),
        ("nearly 2,000", "1,987"),
        ("The tenant pays EUR 1.250,00 in 2020", "Miete: 1.250,00 EUR ab 1.1.2020"),
        ("17 million", "16.9 million"),
        ("It has 130B parameters", "130 billion parameters"),
        ("a $5 fee", "five dollars"),
        ("The rate was 0.62%, compared to -14.76%", "0.62% (14.76)%"),
        ("5 U.S. dollars", "$5"),
    ],
)
def test_a_figure_is_found_scaled_rounded_or_named(claim: str, source: str) -> None:
    assert figures_not_in(claim, [source]) == ()


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Net sales were $90.0 million.", "(in thousands) 2021\nNet sales 900,033"),
        ("Net sales were $9.0 million.", "Net sales 900.0"),
        ("9.0 million", "900.0"),
        ("$900.0 billion", "(in thousands)\n 900,033"),
        ("$9.00 billion", "900,033"),
        ("The margin is 28 %", "2.8 %"),
        ("3,281 million", "328.1 million"),
        ("328.1", "3281"),
        ("28 January", "2.8% in January 2023"),
        ("2.8 % in January", "28 January 2023"),
        ("5 percentage points", "5 %"),
        ("12 weeks", "12 months"),
        ("5 kg", "5 g"),
        ("€5", "$5"),
        ("two thirds", "33 %"),
        ("half of them", "40 %"),
        ("Q2 2022", "Q3 2022"),
        ("in the 1990s", "In 1984"),
        ("over 500", "480"),
        ("SST-2", "SST-3"),
        ("section 4.2", "section 4.3 4.20"),
        ("Figure 3", "Figure 4"),
        ("version 3.11", "version 3.1 3.12"),
        ("FY22", "FY21"),
        ("$5 million", "5 people"),
        ("twenty-six thousand", "25,000"),
        ("It cost US$2 trillion.", "US$2 billion"),
        ("12.5 million", "12.4 million"),
        ("2019/20", "2018/19"),
        ("1.5 lakh", "1.5 crore"),
        ("+49 30 1234568", "+49 30 1234567"),
        ("It scored 99 points.", "a score of 0.94"),
        ("The bridge has 12 main cracks.", "cracks up to 3 mm wide"),
        ("There are 17 differences between them.", "200 received it"),
        ("It was stopped for 3 main reasons.", "It was stopped."),
    ],
)
def test_a_wrong_scale_unit_or_name_is_noticed(claim: str, source: str) -> None:
    assert figures_not_in(claim, [source])


def test_several_sources_may_contain_the_figures_together() -> None:
    claim = "The rent is 950 euros, and being late costs 15."
    assert figures_not_in(claim, ["The rent is 950 euros."]) == ("15",)
    assert figures_not_in(claim, ["The rent is 950 euros.", "A late payment costs 15 euros."]) == ()


@given(st.text(max_size=200))
def test_a_text_contains_its_own_figures(text: str) -> None:
    assert figures_not_in(text, [text]) == ()


@given(st.text(alphabet="0123456789.,:-/ %€$kmQ年月日Mar ", max_size=60))
def test_a_text_of_figures_contains_them(text: str) -> None:
    assert figures_not_in(text, [text]) == ()


@given(st.integers(10, 10**9), st.integers(10, 10**9))
def test_different_numbers_are_not_equal(one: int, other: int) -> None:
    held = figures_not_in(f"The sum of {one:,} was paid.", [f"The sum of {other:,} was paid."]) == ()
    assert held == (one == other)


@given(st.dates(min_value=date(1000, 1, 1)))
def test_a_date_is_the_same_in_every_spelling(day: date) -> None:
    spellings = (f"{day:%Y-%m-%d}", f"{day.day} {day:%B} {day:%Y}", f"{day:%B} {day.day}, {day:%Y}", f"{day:%d.%m.%Y}")
    for spelling in spellings:
        assert figures_not_in(f"It was on {spelling}.", [f"Date: {spellings[0]} (noted)"]) == ()


_AMOUNTS = st.integers(10_000, 10**12).filter(lambda value: value % 10)
_HEADERS = {"": 1, "(in thousands)": 10**3, "(Dollars in millions)": 10**6, "in Mio. EUR": 10**6, "TEUR": 10**3}


def _writings(value: int) -> list[str]:
    """Return the value in digits as several languages and tables write it."""
    grouped = f"{value:,}"
    return [
        str(value),
        grouped,
        f"{grouped}.00",
        grouped.replace(",", " "),
        grouped.replace(",", "’"),
        f"{Decimal(value).scaleb(-3)} thousand",
        f"{Decimal(value).scaleb(-6)} million",
        f"{Decimal(value).scaleb(-9)}bn",
        f"{str(Decimal(value).scaleb(-6)).replace('.', ',')} Mio.",
    ]


def _rounded(value: int, header: str) -> str:
    """Return a value of a table with this header as prose writes it: rounded, with a scale word."""
    whole = Decimal(value * _HEADERS[header])
    scale, word = next((s, w) for s, w in ((9, "billion"), (6, "million"), (3, "thousand")) if whole >= 10**s)
    return f"{whole.scaleb(-scale):.2f} {word}"


@given(_AMOUNTS, st.data())
def test_an_amount_is_the_same_in_every_writing(value: int, data: st.DataObject) -> None:
    one, other = data.draw(st.sampled_from(_writings(value))), data.draw(st.sampled_from(_writings(value)))
    assert figures_not_in(f"The company paid {one} in the year.", [f"The sum paid was {other} in all."]) == ()


@given(_AMOUNTS, st.data())
def test_ten_times_an_amount_is_noticed(value: int, data: st.DataObject) -> None:
    one, other = data.draw(st.sampled_from(_writings(value * 10))), data.draw(st.sampled_from(_writings(value)))
    assert figures_not_in(f"The company paid {one} in the year.", [f"The sum paid was {other} in all."])
    assert figures_not_in(f"The company paid {other} in the year.", [f"The sum paid was {one} in all."])


@given(_AMOUNTS, st.data())
def test_a_changed_digit_is_noticed(value: int, data: st.DataObject) -> None:
    digits = list(str(value))
    place = data.draw(st.integers(0, len(digits) - 1))
    digits[place] = data.draw(st.sampled_from([d for d in "123456789" if d != digits[place]]))
    one = data.draw(st.sampled_from(_writings(int("".join(digits)))))
    other = data.draw(st.sampled_from(_writings(value)))
    assert figures_not_in(f"The company paid {one} in the year.", [f"The sum paid was {other} in all."])


@given(st.integers(1_000, 999_999), st.sampled_from(sorted(_HEADERS)), st.sampled_from((1, 10)))
def test_a_table_figure_is_scaled_by_its_header_only(value: int, header: str, factor: int) -> None:
    claim = f"Net sales were {_rounded(value * factor, header)}."
    held = figures_not_in(claim, [f"{header}\nNet sales\t{value:,}\t17\nPaid in cash\t3,007"]) == ()
    assert held is (factor == 1)


@given(st.integers(13, 999), st.permutations(["%", "euros", "months", "kg", "km", "percentage points", "hours"]))
def test_another_unit_is_noticed(value: int, units: list[str]) -> None:
    assert figures_not_in(f"It was {value} {units[0]}.", [f"It was {value} {units[0]}."]) == ()
    assert figures_not_in(f"It was {value} {units[0]}.", [f"It was {value} {units[1]}."])


@given(st.integers(1950, 2049), st.integers(1950, 2049))
def test_another_year_is_noticed(one: int, other: int) -> None:
    claims = (f"It rose in {one}.", f"It rose in FY{one % 100:02}.", f"It rose in May {one}.")
    for claim in claims:
        assert (figures_not_in(claim, [f"In May {other} it rose."]) == ()) is (one == other)


ROW = "3,ST03,2024-04-04,11.80,33.13,Lund"


@pytest.mark.parametrize(
    ("claim", "missing"),
    [
        (f"The row is {ROW}.", ()),
        (f"`{ROW}` is the third row.", ()),
        ("The row is 3,ST03,2024-04-04,11.90,33.13,Lund.", ("11.90",)),
        ("The row is 3,ST03,2024-04-04,11.80,33.1.", ("33.1",)),
    ],
)
def test_a_row_quoted_as_it_stands_lacks_no_figure(claim: str, missing: tuple[str, ...]) -> None:
    found = " ".join(figures_not_in(claim, [f"id,station,date,temperature,salinity,operator\n{ROW}"]))
    assert bool(found) == bool(missing), found
