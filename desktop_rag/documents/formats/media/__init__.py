"""Readers of pictures, sounds and films: their metadata, and the text subtitles inside of films.

`pictures` and `recordings` choose, and parse what Pillow and mutagen do not.
"""
