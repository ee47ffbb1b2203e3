"""The budget of a run: its limits and their use, prices, and the money that was spent."""
