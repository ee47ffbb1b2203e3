"""Files without text of their own: pictures, sounds and films; what they say about themselves is read."""
