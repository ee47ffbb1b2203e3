"""Recomputes the figures of a claim that its lines do not write but yield.

`computed_figures.recompute` is the entry. It tries the time between dates and deadlines (`computed_spans`), ratios by
their names (`named_ratios`), rates and percentages (`computed_rates`), pairs of figures that the lines compare
(`computed_pairs`), the columns of tables (`column_sums`) and count times price in their rows (`row_products`), then
sums, differences, shares, growth and averages of the figures that the claim writes or names. The more results are
possible, the more digits the figure must have.
`source_rows` are the rows of the lines, `eras` the decades and centuries of a year. `calculations` are those of the
run, which `uncited_sums` recognises where no citation names them.
"""
