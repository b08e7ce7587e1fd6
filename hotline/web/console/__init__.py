"""The staff console: pages by role. Each route parses, calls a service, renders; `gate` says who is asking."""
