"""The conversation: questions, the steps of each run, answers with their sources, and the field to ask in."""
