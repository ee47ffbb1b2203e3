"""Documents as clean pages, drawn from the lines of the catalog."""
