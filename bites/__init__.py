"""Bites, a game of ants on a trail of food, for two to five players."""

from bites import env
from bites.actions import ACTIONS, EVENTS
from bites.deal import STREAMS, draw_ahead, sample, setup, stream, weights
from bites.draw import position, text
from bites.facts import FACTS, report, tally
from bites.faults import FAULTS, faults
from bites.observe import FEATURES, observe, redeal
from bites.picture import picture
from bites.rules import act_ahead, legal, seats, step, to_move
from bites.scoring import ranking, scores
from bites.settings import OPTIONS, PARAMETERS, components, fill, tokens
from bites.state import STATE
from tabletop.game import Game, register

GAME = register(
    Game(
        name="bites",
        title="Bites",
        state=STATE,
        players=(2, 3, 4, 5),
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
            "draw_ahead": draw_ahead,
            "act_ahead": act_ahead,
            "stream": stream,
            "step": step,
            "scores": scores,
            "ranking": ranking,
            "observe": observe,
            "redeal": redeal,
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
        perfect_information=True,
        facts=FACTS,
        picture=picture,
    )
)

__all__ = ["ACTIONS", "EVENTS", "GAME", "STATE", "env", "position"]
