"""What the kernel denies to our child processes: begin with `confine`, which has one function for each kind of them.

`seccomp` restricts files, TCP ports and signals (Landlock), and system calls. Each is irrevocable, passed on to further
children, and takes effect for the calling thread only: call it before anything starts a thread, as importing numpy
does. Every weakening needs a test in tests/integration/processes or tests/integration/documents.
"""
