"""Generated examples are the same in every run, and no machine is too slow for them."""

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")
