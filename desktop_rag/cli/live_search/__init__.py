"""`desktop-rag search -i` (`live_command`): results at each key, in a terminal.

Begin with `live_session.LiveSession`, which takes the keys. `live_view` is what it shows, as rows of text;
`raw_terminal` reads keys and paints the rows that changed; `latest_work` searches on a thread, the last request only.
"""
