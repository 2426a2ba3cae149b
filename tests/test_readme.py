"""The examples of the README are run."""

import doctest
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"


def test_examples_of_the_readme():
    failed, tried = doctest.testfile(str(README), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert tried >= 8 and not failed
