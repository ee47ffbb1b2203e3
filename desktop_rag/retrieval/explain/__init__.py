"""Why a file is found or not: collecting the facts and rendering them as sentences."""
