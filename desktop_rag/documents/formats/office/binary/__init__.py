"""The binary formats of Office: Word (`doc` from `word97`), PowerPoint (`ppt`), early and later Excel."""
