"""`desktop-rag search -i` (`live_command`): results at each key, in a terminal.

Begin with `live_session.LiveSession`, which takes the keys and searches on a thread, the last request only.
`live_view` is what it shows, as rows of text; `raw_terminal` reads keys and paints the rows that changed.
"""
