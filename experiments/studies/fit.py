"""Do single parameters tell all? Effects that depend on each other, and numbers over which a metric bends.

Between the variations of a sweep a metric may differ by more than straight lines and categories add up to (see
`factors`). It is asked of each number whether the metric bends over it, of each two parameters whether the effect of
one depends on the other, and of all that is left over together whether it is more than chance. Each question leaves to
all others what it cannot tell from them.

All variations have the same games, so chance is seen by groups of games. If there is nothing but chance, what a group
tells of a rest points as often one way as the opposite one: the rest is compared with those that random signs of the
groups bring (a randomization test), which needs neither independent variations nor normal errors. The chances are
those of all questions together (Bonferroni).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from experiments.studies.factors import is_number, pseudo_values, varying
from experiments.studies.paired import Floats, Paired
from experiments.studies.variations import Point

LEVEL = 0.05  # below this chance a rest is taken for one
SIGNS = 9_999  # draws of random signs
BEND, TOGETHER = 3, 2  # highest powers of a number: in which it may bend, and which are multiplied with others
ALIKE = 1e-7  # columns are the same up to this part of them
ROUNDING = 1e-9  # a rest is none below this part of the metric


@dataclass(frozen=True)
class Rest:
    """What single parameters leave over, and how likely chance alone leaves as much.

    parameters: one over which the metric bends, two of which the effects depend on each other, or none: anything.
    """

    parameters: tuple[str, ...]
    chance: float

    @property
    def is_sure(self) -> bool:
        """Whether chance alone hardly explains it."""
        return self.chance <= LEVEL


def rests(values: Mapping[str, Sequence[Any]], points: Sequence[Point], sums: Sequence[Paired]) -> list[Rest]:
    """What is left over, as far as these variations tell it; nothing if they do not tell the parameters apart."""
    found = pseudo_values(sums)
    is_known = np.isfinite(found).all(axis=1)
    found, known = found[is_known], [points[place] for place in np.flatnonzero(is_known).tolist()]
    if not known:
        return []
    codes = {name: _code(name, values[name], known) for name in varying(values)}
    lines = np.hstack([np.ones((len(known), 1)), *(_line(values[name], code) for name, code in codes.items())])
    if not codes or len(known) < lines.shape[1] or np.linalg.matrix_rank(lines) < lines.shape[1]:
        return []
    left = {of: own.T @ found for of, own in _directions(_kinds(values, codes), lines).items()}
    if len(known) > lines.shape[1]:
        basis = _basis(lines, 0)
        left[()] = found - basis @ (basis.T @ found)
    least = ROUNDING * float(np.linalg.norm(found.mean(axis=1)))
    return [Rest(of, min(1.0, len(left) * _chance(one, least))) for of, one in left.items()]


def _code(name: str, given: Sequence[Any], points: Sequence[Point]) -> Floats:
    """The columns of a parameter: powers of a number, from the first on, or to which of the other values it is set."""
    if not is_number(given):
        return np.array([[float(point[name] == other) for other in given[1:]] for point in points])
    middle, half = (max(given) + min(given)) / 2, (max(given) - min(given)) / 2
    at = (np.array([point[name] for point in points], np.float64) - middle) / half
    return np.stack([at**power for power in range(1, min(BEND, len(given) - 1) + 1)], axis=1)


def _line(given: Sequence[Any], code: Floats) -> Floats:
    """What single parameters have of it: the first power of a number."""
    return code[:, :1] if is_number(given) else code


def _kinds(values: Mapping[str, Sequence[Any]], codes: Mapping[str, Floats]) -> dict[tuple[str, ...], Floats]:
    """The columns of each kind of rest."""
    kinds: dict[tuple[str, ...], Floats] = {}
    for name, code in codes.items():
        if is_number(values[name]) and code.shape[1] > 1:
            kinds[(name,)] = code[:, 1:]
    low = {name: code[:, :TOGETHER] if is_number(values[name]) else code for name, code in codes.items()}
    for one, other in combinations(codes, 2):
        kinds[one, other] = np.einsum("pi,pj->pij", low[one], low[other]).reshape(len(low[one]), -1)
    return kinds


def _directions(kinds: Mapping[tuple[str, ...], Floats], lines: Floats) -> dict[tuple[str, ...], Floats]:
    """Of each kind of rest the directions (variations, directions) in which no other one and no line goes, if any."""
    basis = _basis(np.hstack([lines, *kinds.values()]), 0)
    short = {of: basis.T @ columns for of, columns in kinds.items()}  # far fewer rows than there may be variations
    found = {}
    for of, columns in short.items():
        others = [basis.T @ lines, *(other for name, other in short.items() if name != of)]
        found[of] = basis @ _beyond(columns, np.hstack(others))
    return {of: own for of, own in found.items() if own.shape[1]}


def _beyond(columns: Floats, known: Floats) -> Floats:
    """Orthonormal directions of columns beyond those of known ones."""
    basis = _basis(known, 0)
    rest = columns - basis @ (basis.T @ columns)
    return _basis(rest, float(np.linalg.norm(columns, axis=0).max(initial=0)))


def _basis(columns: Floats, size: float) -> Floats:
    """Orthonormal directions of columns, without those that are nothing beside a size."""
    directions, lengths, _ = np.linalg.svd(columns, full_matrices=False)
    return directions[:, lengths > ALIKE * max(size, float(lengths.max(initial=0)))]


def _chance(found: Floats, least: float) -> float:
    """How likely random signs bring as much. found: what each group of games tells of a rest (directions, groups)."""
    groups = found.shape[1]
    if np.linalg.norm(found.mean(axis=1)) <= least:
        return 1.0
    products, signs = found.T @ found, _signs(groups)
    by_chance = ((signs @ products) * signs).sum(axis=1)
    return float(1 + (by_chance >= products.sum() * (1 - ROUNDING)).sum()) / (1 + SIGNS)


@cache
def _signs(groups: int) -> Floats:
    """The random signs, which are the same in every run (draws, groups)."""
    return np.random.default_rng(groups).choice(np.array([-1.0, 1.0]), (SIGNS, groups))
