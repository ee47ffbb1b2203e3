"""Recomputes the figures of a claim that its lines do not write but yield.

`computed_figures.recompute` is the entry: it tries the time between dates and deadlines (`computed_spans`), rates and
percentages (`computed_rates`), pairs of figures that the lines compare (`computed_pairs`), then sums, differences,
shares, growth and averages of rows and columns. The more results are possible, the more digits the figure must have.
"""
