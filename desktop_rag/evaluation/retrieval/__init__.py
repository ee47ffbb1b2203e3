"""The ruler of search: test collections asked through the real engine, in the measures of the field."""
