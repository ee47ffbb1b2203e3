"""Desktop RAG: ask your folders, and see the line that proves the answer."""

import os

__version__ = "0.2.0"  # the one place of the version

# onnxruntime gives the machine a number, keeps it in the home folder, and may report it with what it does, unless
# this is said before it is loaded, in whatever process of ours loads it.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
