"""The parts of the searching bots, written once over the questions of `tabletop.game`.

`settings` the numbers of a search · `values` how a position is valued · `rollouts` play on from a leaf · `tree` the
nodes · `selection` which way to go down · `iteration` one walk from the root and the loop · `player` searches on
several threads, or with a tree that is kept from move to move.
"""
