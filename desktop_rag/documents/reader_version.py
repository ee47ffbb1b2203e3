"""The version of what readers return; apart from their messages, because every search compares it."""

READER_VERSION = 19  # raise it when the output of a reader changes: all contents are then read again
JUDGING_VERSION = READER_VERSION << 8 | 2  # raise the last number when failures are judged otherwise, see `quarantine`
