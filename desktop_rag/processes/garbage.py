"""Makes Python's full garbage collections while nobody waits: they take 30 to 70 ms at any allocation."""

import gc

DUE = 10  # collections of the middle generation after which Python makes a full one …
LATEST = 100  # … and after which it still does if there never is a pause


def postpone_full_collections() -> None:
    """Leave full collections to `collect_if_due`, which is called in every pause."""
    gc.set_threshold(*gc.get_threshold()[:2], LATEST)


def collect_if_due() -> None:
    """Make a full collection if one is due."""
    if gc.isenabled() and gc.get_count()[2] > DUE:
        gc.collect()
