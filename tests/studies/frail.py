"""A study of which one shard, at the first try, kills the process that makes it."""

import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pyarrow as pa

from experiments.studies import Specification


@dataclass(frozen=True, kw_only=True)
class Frail(Specification):
    kind: ClassVar[str] = "frail"
    mark: str = ""  # a file that tells that the process has died

    def play(self, shard: int, done=None) -> pa.Table:
        if shard == 3 and not Path(self.mark).exists():
            Path(self.mark).write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return super().play(shard, done)

    @property
    def is_compiled(self) -> bool:
        return False  # so that processes play
