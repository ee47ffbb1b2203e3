from collections.abc import Mapping

def validate(instance: object, schema: Mapping[str, object]) -> None: ...

class Draft202012Validator:
    @classmethod
    def check_schema(cls, schema: Mapping[str, object]) -> None: ...
