"""The systems a run can work as: each names its tools, its instructions and its limits."""
