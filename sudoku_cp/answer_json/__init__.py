"""Answers as JSON: the objects that the command line prints with ``--json`` and the service sends, one module a question."""
