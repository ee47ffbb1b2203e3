"""The binary formats of Office: Word (`doc` from `word97` and `word95`), PowerPoint (`ppt`), early and later Excel."""
