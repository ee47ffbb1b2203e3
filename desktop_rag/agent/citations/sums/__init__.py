"""Recomputes the figures of a claim that its lines do not write but yield.

`computed_figures.recompute` is the entry. It tries the time between dates and deadlines (`computed_spans`), ratios by
their names (`named_ratios`), rates and percentages (`computed_rates`), then sums, differences, shares, growth and
averages of the figures that the claim writes or names, and what a reader derives (`derivations`) from tables
(`table_collections`), lists and sentences (`quantities`) by what the claim's words ask for (`asked_figures`). The more
results are possible, the more digits the figure must have. `computed_pairs` has what they compare results by.
`source_rows` are the rows of the lines, `eras` the decades and centuries of a year. `calculations` are those of the
run, which `uncited_sums` recognises where no citation names them.
"""
