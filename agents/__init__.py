"""Bots: what plays a seat. Each module holds one family and registers it as a `tabletop.bots` entry point."""
