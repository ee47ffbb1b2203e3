"""The tabs of the viewer: one open document each, with its header, tools and banner."""
