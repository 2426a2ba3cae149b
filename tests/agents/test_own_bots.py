"""Own bots: their examples are true, and the commands play and tune them."""

import doctest
import json
import subprocess
import sys
from pathlib import Path

from tabletop import user_bots

SCRIPT = """
import tabletop
from tabletop.bits import nth_in

@tabletop.compiled_bot("own", place=(0.5, 0, 1))
def own(state, legal, rng, params):
    return nth_in(legal, 0)

from experiments.command import main
main()
"""


def test_the_examples_of_own_bots():
    failed, tried = doctest.testmod(user_bots, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert failed == 0 and tried >= 11


def test_an_own_bot_is_tuned_from_a_command_line(tmp_path: Path) -> None:
    """By a script that ends as the documentation says."""
    script, out = tmp_path / "my_bots.py", tmp_path / "tuned.json"
    assert "from experiments.command import main\n    main()\n" in user_bots.__doc__
    script.write_text(SCRIPT)
    tune = f"tune bites --players 2 --bot own --generations 1 --games 2 --check 2 --seed 1 --out {out}"
    done = subprocess.run([sys.executable, str(script), *tune.split()], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(out.read_text())["tuned"].startswith("own:place=")
