"""The games and bots that are installed beside this package, found by their entry points."""

from functools import cache
from importlib.metadata import EntryPoint, entry_points

GAMES_GROUP = "tabletop.games"  # name of a game = "package:GAME"
BOTS_GROUP = "tabletop.bots"  # name of a bot = "module:BOT"


@cache
def plug_ins(group: str) -> dict[str, EntryPoint]:
    """The installed plug-ins of a group by name; looked up once, for that takes 10 ms."""
    return {point.name: point for point in entry_points(group=group)}
