"""Readers of calendars (iCalendar) and address books (vCard); both formats share `content_lines`."""
