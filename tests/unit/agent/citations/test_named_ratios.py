import random

import pytest

from desktop_rag.agent.citations.numbers import figures_not_in
from desktop_rag.agent.citations.sums.computed_figures import recompute

INCOME = """For the years ended June 30,\t2023\t2022\t2021
Sales of products\t12,694\t12,544\t10,861
Total net sales\t$\t14,694 $\t14,544 $\t12,861
Cost of sales\t(11,969)\t(11,724)\t(10,129)
2,725\t2,820\t2,732
50
Operating income\t1,508\t1,239\t1,321
Income before income taxes\t1,251\t1,115\t1,193
Income tax expense\t(193)\t(300)\t(261)
Net income from continuing operations\t1,040\t815\t932
Net income attributable to the company\t1,048\t805\t939"""
BALANCE = """As of June 30,\t2023\t2022
Cash and cash equivalents\t689\t775
Trade receivables\t1,875\t1,935
Inventories, net
Raw materials and supplies\t992\t1,114
Work in process and finished goods\t1,221\t1,325
Total current assets\t5,308\t5,853
Total assets\t17,003\t17,426
Total current liabilities\t4,476\t5,103
Total liabilities\t12,913\t13,285
Total shareholders' equity\t4,090\t4,141"""
LIABILITY = "\tEmployee\tAsset\tOther\tTotal\nLiability balance at December 31, 2022\t81\t2\t10\t93"


@pytest.mark.parametrize(
    ("figure", "claim", "near", "source", "computed"),
    [
        ("18.5%", "The gross margin was 18.5% in FY2023.", "", INCOME, "(14,694 − 11,969) ÷ 14,694"),
        ("0.8%", "Gross margins declined by 0.8%.", "as of FY2023", INCOME, "(14,694 − 11,969) ÷ 14,694 − "),
        ("0.8 percentage points", "The gross margin fell by 0.8 percentage points in 2023.", "", INCOME, "÷ 14,544"),
        ("8.5%", "The operating margin rose to 8.5% in 2022.", "", INCOME, "1,239 ÷ 14,544"),
        ("6.6%", "6.6%", "What is the average net profit margin of 2021 to 2023?", INCOME, "1,040 ÷ 14,694 + "),
        ("7.1%", "The net margin was 7.1%.", "in 2023?", INCOME, "1,040 ÷ 14,694"),
        ("15.4%", "The effective tax rate was 15.4% in 2023.", "", INCOME, "193 ÷ 1,251"),
        ("1.19", "The current ratio was 1.19 in 2023.", "", BALANCE, "5,308 ÷ 4,476"),
        ("0.69", "The quick ratio was 0.69 in FY23.", "", BALANCE, "(5,308 − 992 − 1,221) ÷ 4,476"),
        ("0.57", "The quick ratio was 0.57.", "for 2023", BALANCE, "(689 + 1,875) ÷ 4,476"),
        ("3.16", "The debt-to-equity ratio was 3.16 in 2023.", "", BALANCE, "12,913 ÷ 4,090"),
        ("24.1%", "The equity ratio was 24.1% in 2023.", "", BALANCE, "4,090 ÷ 17,003"),
        ("87%", "87% of the total liability is for employees.", "", LIABILITY, "81 ÷ 93"),
    ],
)
def test_a_ratio_is_recomputed_by_its_name(figure: str, claim: str, near: str, source: str, computed: str) -> None:
    found = recompute(figure, [source], claim, near)
    assert found is not None
    assert computed in found
    assert found.endswith(f"= {figure}")


@pytest.mark.parametrize(
    ("figure", "claim", "source"),
    [
        ("19.5%", "The gross margin was 19.5% in FY2023.", INCOME),
        ("19.4%", "The gross margin was 19.4% in FY2023.", INCOME),  # that of 2022
        ("0.9%", "Gross margins declined by 0.9% in 2023.", INCOME),
        ("1.19", "The quick ratio was 1.19 in 2023.", BALANCE),
        ("1.15", "The current ratio was 1.15 in 2023.", BALANCE),
        ("78%", "78% of the total liability is for employees.", LIABILITY),
        ("87%", "87% of the total rent is for heating.", LIABILITY),
        ("18.5%", "The gross margin was 18.5% in FY2023.", BALANCE),
        ("0%", "The gross margin was 0% in FY2023.", INCOME),
    ],
)
def test_a_wrong_ratio_is_not(figure: str, claim: str, source: str) -> None:
    assert recompute(figure, [source], claim) is None


def test_wrong_ratios_are_rarely_accepted_by_chance() -> None:
    chance = random.Random(17)
    right: list[bool] = []
    wrong: list[bool] = []
    for _ in range(150):
        sales = chance.randint(2_000, 90_000)
        costs = [round(sales * chance.uniform(0.5, 0.95)) for _ in range(3)]
        earned = [chance.randint(20, 900) for _ in range(3)]
        rows = ("Net sales", *[f"{sales:,}"] * 3), ("Cost of sales", *costs), ("Net income", *earned)
        table = "\t2023\t2022\t2021\n" + "\n".join("\t".join(map(str, row)) for row in rows)
        claims = (
            ("The gross margin was {}% in 2023.", (sales - costs[0]) / sales * 100),
            ("The net profit margin of 2022 was {}%.", earned[1] / sales * 100),
            ("The gross margin changed by {}% in 2023.", (costs[0] - costs[1]) / sales * 100),
            ("The average net margin was {}%.", sum(earned) / 3 / sales * 100),
        )
        for claim, value in claims:
            figure = f"{abs(value):.1f}"
            digits = [place for place, sign in enumerate(figure) if sign.isdigit()]
            place = chance.choice(digits)
            digit = chance.choice([digit for digit in "123456789" if digit != figure[place]])
            for accepted, said in ((right, figure), (wrong, figure[:place] + digit + figure[place + 1 :])):
                text = claim.format(said)
                missing = figures_not_in(text, [table])
                accepted.append(not missing or recompute(missing[0], [table], text) is not None)
    assert sum(wrong) / len(wrong) < 0.01
    assert sum(right) / len(right) > 0.9
