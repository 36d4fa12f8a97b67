"""Running chunks of work on threads, processes or a cluster, with output that survives any end of the run."""
