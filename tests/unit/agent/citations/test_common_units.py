"""Sums of figures in different units and scales: what is shown is true, and units that differ are converted."""

import pytest

from desktop_rag.agent.citations.numbers import figures_not_in
from desktop_rag.agent.citations.sums.computed_figures import recompute

PARCELS = "Parcel A weighs 800 g and parcel B weighs 1.5 kg."
TANK = "The tank holds 2 hl; the can holds 20 litres."
TRAINS = "The slow train takes 90 minutes, the fast train 1.25 hours."
LAKES = "The lower reservoir lies at 450 ft, the upper at 200 m."
RAIN = "Rainfall was 61 mm in April and 0.12 m in May."
BRIDGE = "The bridge is 1.4 km long and 850 m of it cross water."
REVENUE = "Revenue rose from £940 million in 2022 to £1.2 billion in 2023."
SALES = "Net sales rose from $900,033 thousand to $1.1 billion between 2021 and 2022."


@pytest.mark.parametrize(
    ("figure", "claim", "source", "computed"),
    [
        ("2.3 kg", "Together the parcels weigh 2.3 kg", PARCELS, "0.8 + 1.5"),
        ("700 g", "Parcel B is 700 g heavier, a difference", PARCELS, "1500 − 800"),
        ("220 litres", "The tank and the can together hold 220 litres", TANK, "200 + 20"),
        ("15 minutes", "The fast train takes 15 minutes less than the slow one", TRAINS, "90 − 75"),
        ("181 mm", "In April and May it rained 181 mm in total", RAIN, "61 + 120"),
        ("61 %", "About 61 % of the bridge crosses water", BRIDGE, "0.85 ÷ 1.4"),
        ("£260 million", "Revenue rose by £260 million", REVENUE, "1200 − 940"),
        ("28 %", "Revenue rose by about 28 %", REVENUE, "(1.2 − 0.94) ÷ 0.94"),
        ("22 %", "Net sales rose by about 22 %", SALES, "(1.1 − 0.900033) ÷ 0.900033"),
    ],
)
def test_units_and_scales_are_converted_before_they_are_computed_with(
    figure: str, claim: str, source: str, computed: str
) -> None:
    assert recompute(figure, [source], claim) == f"{computed} = {figure}"


@pytest.mark.parametrize(
    ("figure", "claim", "source"),
    [
        ("801.5 g", "Together the parcels weigh 801.5 g", PARCELS),
        ("801.5 kg", "Together the parcels weigh 801.5 kg", PARCELS),
        ("22 litres", "The tank and the can together hold 22 litres", TANK),
        ("22 hl", "The tank and the can together hold 22 hl", TANK),
        ("88.75 minutes", "The fast train takes 88.75 minutes less than the slow one", TRAINS),
        ("250 m", "The reservoirs are 250 m apart in height", LAKES),
        ("250 ft", "The reservoirs are 250 ft apart in height", LAKES),
        ("61.12 mm", "In April and May it rained 61.12 mm in total", RAIN),
    ],
)
def test_numbers_of_different_units_make_no_sum(figure: str, claim: str, source: str) -> None:
    assert recompute(figure, [source], claim) is None


def test_metres_a_second_are_no_kilometres_an_hour() -> None:
    source = "The wind blew at 12 m/s."
    assert figures_not_in("The wind blew at 12 km/h.", [source]) == ("12 km/h",)
    assert not figures_not_in("The wind blew at 43 km/h.", [source])
