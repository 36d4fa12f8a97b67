"""The websocket that f-puzzles.com asks through its user script: eight commands about the board on the screen.

The protocol is that of the SudokuSolver project by David Clamage, its only other server. A page sends one JSON object a message,
with a number (``nonce``) that every reply to it repeats; a new message cancels the question before it. Read `server` for what
comes in, `questions` for what a worker answers, `server` for the order of things on a connection.
"""
