"""What every game shares: dispatch, compiled loops, random numbers, records. It names no game."""
