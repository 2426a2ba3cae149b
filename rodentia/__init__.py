"""The Treaty of Rodentia, a game of rodents, leaders and wolves on a map of hexes, for two to five players or solo."""

from rodentia import env
from rodentia.actions import ACTIONS, EVENTS, tokens
from rodentia.ahead import act_ahead, draw_ahead
from rodentia.draw import position, text
from rodentia.facts import FACTS, report
from rodentia.faults import FAULTS, faults
from rodentia.observe import FEATURES, observe, redeal
from rodentia.picture import picture
from rodentia.rules import legal, sample, seats, step, stream, to_move, weights
from rodentia.scoring import ranking, scores
from rodentia.settings import OPTIONS, PARAMETERS, components, fill
from rodentia.setup import setup
from rodentia.state import STATE, STREAMS
from tabletop.game import Game, register

GAME = register(
    Game(
        name="rodentia",
        title="The Treaty of Rodentia",
        state=STATE,
        players=(1, 2, 3, 4, 5),
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
