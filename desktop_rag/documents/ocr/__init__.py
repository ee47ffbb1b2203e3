"""Text in pictures: engines that read it, and how what they read becomes part of a document."""
