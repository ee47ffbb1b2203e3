"""Ranking: fusion, link boost, re-ranking, and hits from ranked chunks."""
