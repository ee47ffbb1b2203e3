"""The timeline of a run, and what can be done with a run that is over."""
