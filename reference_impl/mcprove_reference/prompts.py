"""The prompts: one without arguments, one with, one with an image.

Spec: server/prompts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcprove.core.errors import INVALID_PARAMS
from mcprove_reference import samples
from mcprove_reference.exchange import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mcprove.core.jsonrpc import Json
    from mcprove_reference.exchange import Call, Handler, Params, Result
    from mcprove_reference.pages import Pager
    from mcprove_reference.samples import Block


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt: how it is listed and the content of its one message."""

    name: str
    says: str
    content: Callable[[Mapping[str, str]], Block]
    arguments: tuple[str, ...] = ()
    """Names of its arguments, all required."""


PROMPTS = (
    Prompt("test_prompt_with_arguments", "Joins its arguments.",
           lambda given: samples.text(f"{given['arg1']} and {given['arg2']}"), arguments=("arg1", "arg2")),
    Prompt("test_prompt_with_image", "Shows an image.", lambda _: samples.image()),
    Prompt("test_simple_prompt", "Says one sentence.", lambda _: samples.text("a simple prompt")),
)  # fmt: skip


class Prompts:
    """Lists and fills in the prompts."""

    capability = "prompts"

    def __init__(self, pager: Pager) -> None:
        self.pager = pager

    def methods(self) -> Mapping[str, Handler]:
        """Return the methods of this feature."""
        return {"prompts/list": self.list_prompts, "prompts/get": self.get_prompt}

    def list_prompts(self, params: Params, _call: Call) -> Result:
        """Answer ``prompts/list``."""
        entries = [(prompt.name, self.prompt_entry(prompt)) for prompt in PROMPTS]
        return self.pager.page("prompts", entries, params)

    def prompt_entry(self, prompt: Prompt) -> dict[str, Json]:
        """Return the list entry of a prompt."""
        entry: dict[str, Json] = {"name": prompt.name, "description": prompt.says}
        if prompt.arguments:
            entry["arguments"] = [{"name": name, "required": True} for name in prompt.arguments]
        return entry

    def get_prompt(self, params: Params, _call: Call) -> Result:
        """Answer ``prompts/get``."""
        prompt = self.find_prompt(str(params["name"]))
        given = self.prompt_arguments(prompt, params.get("arguments", {}))
        return {"description": prompt.says, "messages": [{"role": "user", "content": prompt.content(given)}]}

    def find_prompt(self, name: str) -> Prompt:
        """Return the prompt with this very name. Keeps prompts.unknown-name."""
        for prompt in PROMPTS:
            if prompt.name == name:
                return prompt
        raise Refusal(INVALID_PARAMS, f"unknown prompt: {name}")

    def prompt_arguments(self, prompt: Prompt, given: Json) -> Mapping[str, str]:
        """Return the arguments, each a string. Keeps prompts.missing-argument."""
        assert isinstance(given, dict)
        for name in prompt.arguments:
            if not isinstance(given.get(name), str):
                raise Refusal(INVALID_PARAMS, f"argument {name} is missing or not a string")
        return {name: str(value) for name, value in given.items()}
