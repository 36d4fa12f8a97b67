"""The engine ``cpsat``: OR-Tools CP-SAT (Perron, Didier, Gay: "The CP-SAT-LP Solver", CP 2023)."""
