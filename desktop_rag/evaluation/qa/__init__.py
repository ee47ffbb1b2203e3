"""Evaluation of answers: question sets asked through the real agent loop.

Begin with `qa_runner.evaluate`. `question_sets` reads the questions and their gold evidence, `run_question` runs one
and extracts a record from its events, `judge` lets a model grade answers and compare two systems, `summary`
computes the measures and aggregates them, `qa_page` reports.
"""
