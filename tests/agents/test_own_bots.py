"""The examples of bots of one's own are true."""

import doctest

from tabletop import user_bots


def test_the_examples_of_own_bots():
    failed, tried = doctest.testmod(user_bots, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0 and tried >= 9
