"""What goes wrong."""

from __future__ import annotations


class OslowError(ValueError):
    """Any error of oslow; ``hint`` says what to do about it, where we know.

    >>> import oslow
    >>> try:
    ...     oslow.discover([[1.0, 2.0], [1.0, 3.0]])
    ... except oslow.OslowError as error:
    ...     print(error.message)
    column `X0` is constant, so it can neither be standardised nor ordered
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message if hint is None else f"{message}\nhint: {hint}")
        self.message = message
        self.hint = hint

    def __reduce__(self) -> tuple[type[OslowError], tuple[str, str | None]]:
        return type(self), (self.message, self.hint)


class InputError(OslowError):
    """The data or the call is wrong; you can mend it.

    >>> import oslow
    >>> try:
    ...     oslow.discover("sachs", method="exakt")
    ... except oslow.InputError as error:
    ...     print(error.hint)
    did you mean `exact`?
    """


class NonFiniteError(OslowError):
    """A computation produced an infinity or a NaN.

    >>> import oslow
    >>> issubclass(oslow.NonFiniteError, ValueError)
    True
    """


class InternalError(OslowError):
    """oslow itself failed; please report it.

    >>> import oslow
    >>> issubclass(oslow.InternalError, oslow.OslowError)
    True
    """


class OslowWarning(UserWarning):
    """Something about the data or the answer that you should know.

    >>> import warnings, oslow
    >>> warnings.simplefilter("ignore", oslow.OslowWarning)  # if you know
    >>> warnings.simplefilter("default", oslow.OslowWarning)
    """
