"""Progress of long work where nobody looks at a terminal: a line each minute, none for what is done sooner."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from experiments import console


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that the console sees, in seconds, to be changed."""
    now = [1000.0]
    monkeypatch.setattr(console, "monotonic", lambda: now[0])
    return now


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().err.splitlines()


def test_work_of_less_than_a_minute_says_nothing(clock, capsys):
    with console.progress_bar("playing", 100) as bar:
        for _ in range(59):
            clock[0] += 1
            bar.advance(1)
    assert lines(capsys) == []


def test_each_minute_there_is_a_line_with_amount_rate_and_time_left(clock, capsys):
    with console.progress_bar("playing", 1_000_000) as bar:
        for _ in range(6):
            clock[0] += 25
            bar.advance(25_000)
    assert lines(capsys) == [
        "playing: 75,000 of 1,000,000, 1,000/s, 0:15:25 left",
        "playing: 150,000 of 1,000,000, 1,000/s, 0:14:10 left",
    ]


def test_the_rate_is_that_since_the_last_line(clock, capsys):
    with console.progress_bar("value 3: size=2", 5000) as bar:
        bar.advance(4000)  # of an earlier run
        for done in (0, 30, 0):
            clock[0] += 60
            bar.advance(done)
    _, second, third = lines(capsys)
    assert second == "value 3: size=2: 4,030 of 5,000, 0.5/s, 0:32:20 left"
    assert third == "value 3: size=2: 4,030 of 5,000, 0/s"


def test_without_a_total_no_time_is_left(clock, capsys):
    with console.progress_bar("replaying", None) as bar:
        clock[0] += 60
        bar.advance(90)
    assert lines(capsys) == ["replaying: 90 done, 1.5/s"]


def test_threads_lose_no_work(clock, capsys):
    with console.progress_bar("playing", 9000) as bar, ThreadPoolExecutor(8) as pool:
        list(pool.map(bar.advance, [1] * 8000))
        clock[0] += 100
        bar.advance(0)
    assert lines(capsys) == ["playing: 8,000 of 9,000, 80/s, 0:00:12 left"]


def test_a_terminal_gets_a_bar_and_no_lines(clock, capsys, monkeypatch):
    monkeypatch.setattr(console, "ERR", console.Console(stderr=True, force_terminal=True, width=120))
    with console.progress_bar("playing", 100) as bar:
        clock[0] += 100
        bar.advance(50)
    assert "left" in (err := capsys.readouterr().err) and "50 of 100" not in err
