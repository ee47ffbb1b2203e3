"""Answers about amounts: totals, averages, extremes, differences.

`quantity_question` recognises what is to be calculated; `quantity_answer` finds the operands in the tables
(`read_tables`) and documents (`document_totals`) that were read, and plans the call of `calculate`.
"""
