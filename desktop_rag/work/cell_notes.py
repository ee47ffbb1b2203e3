"""The sentences about cells without a value; the window shows them in its language."""

NOT_ALL_READ = "Not in the passages that were read; the document is longer."
OUTPUT_USED_UP = "The model used up its output before it wrote a value. Raise its maximum output, or think less."
EMPTY_MESSAGE = "The model sent an empty message."
NO_VALUE = "The model answered, but not with a value and a quotation."
NO_MORE_ASKED = "{0} cells in a row got no answer, so no more were asked."
