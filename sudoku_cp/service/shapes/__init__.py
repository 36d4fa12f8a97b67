"""The bodies and the answers of all questions as pydantic models: what the service checks, and what its OpenAPI document says."""
