"""Jobs: questions that outlive their request, kept in SQLite so that a crash of the service loses none.

Theory of operation. A job is *accepted* when its row is on disk; only then is its address told. The runner (`job_runner`) takes
queued jobs in the order of their acceptance, hands each to the pool and writes down what comes: an *event* for each item, and at
last the end with its result. Whoever watches a job (`job_runner`) reads events from the store, never from the runner, so that
a stream can be resumed at any number, also after a restart.

Invariants: a job moves queued -> running -> done | failed | cancelled -> expired, and only back from running to queued, when
the service that ran it is gone. The end of a job and its last event are one transaction, and the first end wins. Events of a job
count from 1 without gaps. One service at a time uses a store; one thread touches it (`store`), beside the event loop.

A job of a service that was killed is queued again, `MOST_STARTS` starts in all; then it has failed, for the reason ``crashed``.
"""
