"""Who may ask, and how often: names of the service, origins of pages, keys, and rates."""
