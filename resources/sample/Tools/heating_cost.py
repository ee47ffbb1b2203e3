"""Compares the yearly cost of heating the boathouse with oil and with a heat pump.

The figures come from the energy audit of November 2025: 46,000 kWh of heat a year,
a boiler that loses a third of its fuel, and a seasonal performance factor of 3.4.
"""

HEAT_DEMAND_KWH = 46_000
BOILER_EFFICIENCY = 0.67
SEASONAL_PERFORMANCE_FACTOR = 3.4

OIL_PRICE_PER_KWH = 0.115  # euros, mean of the last three deliveries
ELECTRICITY_PRICE_PER_KWH = 0.262  # euros, heat pump tariff


def oil_cost(demand_kwh: float) -> float:
    """Return the cost of oil for a year in euros."""
    return demand_kwh / BOILER_EFFICIENCY * OIL_PRICE_PER_KWH


def heat_pump_cost(demand_kwh: float) -> float:
    """Return the cost of electricity for a year in euros."""
    return demand_kwh / SEASONAL_PERFORMANCE_FACTOR * ELECTRICITY_PRICE_PER_KWH


def payback_years(price: float, own_share: float = 0.4) -> float:
    """Return how many years of savings pay for the tenant's share of the price."""
    saving = oil_cost(HEAT_DEMAND_KWH) - heat_pump_cost(HEAT_DEMAND_KWH)
    return price * own_share / saving


if __name__ == "__main__":
    print(f"oil:       {oil_cost(HEAT_DEMAND_KWH):8,.0f} euros a year")
    print(f"heat pump: {heat_pump_cost(HEAT_DEMAND_KWH):8,.0f} euros a year")
    print(f"payback:   {payback_years(41_200):8.1f} years for the tenant's share")
