"""Why a file is found or not: a dialog that asks the searcher and shows its sentences."""
