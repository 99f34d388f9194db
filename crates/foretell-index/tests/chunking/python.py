"""Settings, and who reads them."""

from __future__ import annotations
import json
import os

LIMIT = 10
DEFAULTS = {
    "theme": "dark",
    "size": 12,
}


# The path may not exist.
@functools.cache
@traced
def read_settings(path: str) -> dict:
    """Reads settings."""
    with open(path) as file:
        return {**DEFAULTS, **json.load(file)}


async def watch(path: str):
    while True:
        yield read_settings(path)


@dataclass
class Point:
    x: int
    y: int = 0


class Session(Base):
    """One that is open."""

    timeout = 10
    names: dict[str, str] = {}

    def __init__(self, client, *, retries=3):
        super().__init__()
        self.client = client
        self.retries = retries
        self.names = {}

    @property
    def size(self) -> int:
        return len(self.names)

    @staticmethod
    def parse(text: str) -> list[str]:
        parts = []
        for line in text.splitlines():
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            parts.append(line)
        return parts

    async def open(self, name: str) -> None:
        """Opens one."""
        for attempt in range(self.retries):
            try:
                answer = await self.client.get(name)
            except TimeoutError:
                if attempt + 1 == self.retries:
                    raise
            else:
                self.names[name] = answer
                return

    class Failed(Exception):
        def __init__(self, name):
            super().__init__(name)
            self.name = name

        def __str__(self):
            return f"cannot open {self.name}"

    def close(self, name: str) -> bool:
        if name not in self.names:
            return False
        del self.names[name]
        return True

    def __len__(self):
        return self.size

    def __contains__(self, name):
        return name in self.names

    def close_all(self) -> int:
        closed = 0
        for name in list(self.names):
            if self.close(name):
                closed += 1
        return closed


if __name__ == "__main__":
    print(read_settings(os.environ["SETTINGS"]))
