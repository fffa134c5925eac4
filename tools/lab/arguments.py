"""The parsers of lab's commands: argparse, with one sentence for each mistake."""

import argparse
import re
from collections.abc import Callable
from typing import Any

from .base.terminal import LabError, did_you_mean, table

WRONG_CALL = 2
"""The exit code where lab was called wrongly."""


def wrong(sentence: str) -> LabError:
    return LabError(sentence, WRONG_CALL)


class Parser(argparse.ArgumentParser):
    """The parser of lab itself, or of one command.

    `act` takes what was parsed. `wants` is said where the command has not got as many values as it `takes`, and `asks` where none of its own
    commands is named. With `passes_on` nothing is parsed, because another program does that."""

    def __init__(
        self,
        *,
        takes: int | None = None,
        act: Callable[[argparse.Namespace], int] | None = None,
        wants: str = "",
        asks: str = "",
        passes_on: bool = False,
        **rest: Any,
    ) -> None:
        super().__init__(add_help=False, allow_abbrev=False, exit_on_error=False, **rest)
        self.act, self.wants, self.asks, self.passes_on = act, wants, asks, passes_on
        self.takes = takes
        self.commands: dict[str, Parser] = {}
        self.sentences: dict[str, str] = {}
        if takes is not None:
            self.add_argument("values", nargs="*", help=argparse.SUPPRESS)

    def command(self, name: str, what: str, **rest: Any) -> "Parser":
        """A parser for the command `name`, which `what` it does explains."""
        prog = f"{self.prog} {name}"
        self.commands[name] = Parser(prog=prog, usage=f"{prog} {rest.pop('usage', '')}".rstrip(), description=f"{what[0].upper()}{what[1:]}.", **rest)
        return self.commands[name]

    def format_help(self) -> str:
        whats = [(f"  {name}", each.description[0].lower() + each.description[1:-1]) for name, each in self.commands.items()]
        listed = f"\ncommands:\n{table(whats)}\n" if whats else ""
        return super().format_help() + listed

    def switch(self, name: str, what: str) -> None:
        self.add_argument(name, action="store_true", help=what)

    def option(self, name: str, value: str, what: str, pattern: str, sentence: str, dest: str | None = None) -> None:
        """An option whose value, shown as `value`, has to match `pattern`; else, or where there is none, `sentence` is said. It is parsed as `dest`."""

        def checked(text: str) -> str:
            if not re.fullmatch(pattern, text):
                raise ValueError
            return text

        self.sentences[name] = sentence
        self.add_argument(name, metavar=value, type=checked, help=what, dest=dest)

    def parsed(self, arguments: list[str]) -> argparse.Namespace:
        """What the arguments say, or one sentence about what is wrong with them."""
        try:
            found, others = self.parse_known_intermixed_args(arguments)
        except argparse.ArgumentError as error:
            raise wrong(self.sentences.get(error.argument_name or "", error.message)) from None
        if self.wants and (others or len(found.values) != self.takes):
            raise wrong(self.wants)
        if others:
            raise wrong(self.unknown(others[0]))
        return found

    def unknown(self, argument: str) -> str:
        known = [name for action in self._actions for name in action.option_strings]
        meant = did_you_mean(argument, known)
        takes = f"it takes {', '.join(known)}." if known else "it takes none."
        return f"`{self.prog}` does not know {argument}; " + (f"did you mean {meant}?" if meant else takes)

    def error(self, message: str) -> None:  # type: ignore[override]
        raise wrong(f"`{self.prog}`: {message}.")
