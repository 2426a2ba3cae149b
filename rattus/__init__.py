"""Rattus, a game of the plague in medieval Europe, for two to four players."""

from rattus import env
from rattus.actions import ACTIONS, EVENTS
from rattus.draw import position, text
from rattus.facts import FACTS, report, tally
from rattus.faults import FAULTS, faults
from rattus.final import ranking, scores
from rattus.observe import FEATURES, observe, redeal, redeal_words
from rattus.picture import picture
from rattus.rules import STREAMS, legal, sample, seats, step, stream, to_move, weights
from rattus.settings import OPTIONS, PARAMETERS, components, fill, tokens
from rattus.setup import setup
from rattus.state import STATE
from tabletop.game import Game, register

GAME = register(
    Game(
        name="rattus",
        title="Rattus",
        state=STATE,
        players=(2, 3, 4),
        default_players=4,
        options=OPTIONS,
        parameters=PARAMETERS,
        streams=STREAMS,
        actions=ACTIONS,
        events=EVENTS,
        functions={
            "setup": setup,
            "to_move": to_move,
            "legal": legal,
            "weights": weights,
            "sample": sample,
            "stream": stream,
            "step": step,
            "scores": scores,
            "ranking": ranking,
            "observe": observe,
            "redeal": redeal,
            "redeal_words": redeal_words,
            "faults": faults,
            "seats": seats,
            "tally": tally,
            "report": report,
        },
        fill=fill,
        tokens=tokens,
        text=text,
        features=FEATURES,
        faults=FAULTS,
        components=components,
        perfect_information=False,
        facts=FACTS,
        picture=picture,
    )
)

__all__ = ["ACTIONS", "EVENTS", "GAME", "STATE", "env", "position"]
