"""The document viewer: a citation opened at its lines, as text or as the printed page."""
