"""Answers about amounts: totals, averages, extremes, differences, and which of two is more.

`quantity_question` recognises what is to be calculated or compared. `quantity_answer` finds the operands
(`labelled_amounts`) in the tables that were read (`read_tables`, also `labelled_lines`) and the totals that documents
state (`document_totals`), else in sentences about two things (`prose_amounts`); `calculate` computes them.
`stated_cell` finds the one cell that a question names by row and column, `identified_row` the row with its
codes and dates. `fitting_figures` tells which figures of a quotation can be what a question asks for.
`financial_statements` finds the statement with the figures of a ratio.
"""
