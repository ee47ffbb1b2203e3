class Config:
    svg2: bool

config: Config

class Latex:
    def __init__(self, latex: str, size: float = ..., color: str = ..., inline: bool = ...) -> None: ...
    def svg(self) -> str: ...
