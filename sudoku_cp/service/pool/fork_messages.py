"""What the service and its fork server say to each other."""

from struct import Struct

FORK, KILL = b"fk"
REQUEST = Struct("<BQ")
"""What is asked, and the number of the worker."""
REPORT = Struct("<Qqq")
"""The number of a worker that has ended, its status as of wait(2), and by how many bytes it grew."""
