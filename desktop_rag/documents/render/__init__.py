"""Renders pages as pixels and locates their characters, in the painter child.

The GUI uses `painter_client.Painter`; `painter` is the child process, `painter_messages` their protocol;
`formats/paged_files` opens every format that has pages.
"""
