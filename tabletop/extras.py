"""Packages that are optional extras: the error that says how to install them."""


class MissingExtraError(ImportError):
    """A package is not installed; the message names the extra that brings it."""

    def __init__(self, package: str, extra: str, error: ImportError) -> None:
        super().__init__(
            f"{package} is needed here but cannot be imported ({error}); install it with: "
            f"pip install 'critters[{extra}]'"
        )
