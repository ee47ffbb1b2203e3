"""Reader of Apple's Pages, Numbers and Keynote.

`iwa` unpacks their objects (Snappy, Protocol Buffers); `iwork_reader` reads the cells of tables, puts the document
together, reads the XML of iWork '09, or else the preview inside the file. Apple documents none of it:
field numbers are those of its programs' own message descriptors.
"""
