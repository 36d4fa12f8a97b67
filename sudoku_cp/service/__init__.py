"""The HTTP service: every question of the command line as an endpoint, long ones as jobs, and the f-puzzles websocket.

A request goes one way: an endpoint reads its body (`shapes`) and hands a `Task` to the `pool`, whose worker processes run the
question (`questions`); the answer is the object that the command line prints with ``--json``. What takes longer than a client
waits becomes a job (`jobs`).
"""
