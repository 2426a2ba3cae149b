"""Frameworks that are optional extras: the error that says how to install them."""


class MissingExtraError(ImportError):
    """A framework is not installed; the message names the extra that brings it."""

    def __init__(self, framework: str, extra: str, error: ImportError) -> None:
        super().__init__(
            f"{framework} is needed here but cannot be imported ({error}); install it with: "
            f"pip install 'critters[{extra}]'"
        )
