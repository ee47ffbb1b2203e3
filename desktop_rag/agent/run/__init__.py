"""One run of the agent: the loop, its steps, the context it keeps, tool dispatch, feedback, replay."""
