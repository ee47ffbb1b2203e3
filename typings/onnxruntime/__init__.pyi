from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

class GraphOptimizationLevel(Enum):
    ORT_DISABLE_ALL = 0
    ORT_ENABLE_BASIC = 1
    ORT_ENABLE_EXTENDED = 2
    ORT_ENABLE_ALL = 99

class ExecutionMode(Enum):
    ORT_SEQUENTIAL = 0
    ORT_PARALLEL = 1

class SessionOptions:
    intra_op_num_threads: int
    inter_op_num_threads: int
    log_severity_level: int
    enable_cpu_mem_arena: bool
    enable_mem_pattern: bool
    graph_optimization_level: GraphOptimizationLevel
    execution_mode: ExecutionMode
    def add_session_config_entry(self, key: str, value: str, /) -> None: ...

class RunOptions:
    terminate: bool
    log_severity_level: int

class NodeArg:
    name: str
    type: str
    shape: list[int | str]

class InferenceSession:
    def __init__(
        self,
        path_or_bytes: str | bytes,
        sess_options: SessionOptions | None = None,
        providers: Sequence[str] | None = None,
    ) -> None: ...
    def run(
        self,
        output_names: Sequence[str] | None,
        input_feed: Mapping[str, npt.NDArray[Any]],
        run_options: RunOptions | None = None,
    ) -> list[npt.NDArray[np.float32]]: ...
    def get_inputs(self) -> list[NodeArg]: ...
    def get_outputs(self) -> list[NodeArg]: ...

def set_default_logger_severity(severity: int) -> None: ...
def disable_telemetry_events() -> None: ...
