"""The search page of the window: a query, what it finds as it is typed, and what the found documents share."""
