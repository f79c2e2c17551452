"""The pieces of content that tools, resources and prompts hand out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcprove.spec.revisions import Revision

if TYPE_CHECKING:
    from mcprove.core.jsonrpc import Json

Block = dict[str, "Json"]

# One red pixel, and a WAV file without samples.
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="


def text(words: str) -> Block:
    """Return a text block."""
    return {"type": "text", "text": words}


def image() -> Block:
    """Return an image block."""
    return {"type": "image", "data": PNG, "mimeType": "image/png"}


def audio() -> Block:
    """Return an audio block, which 2024-11-05 does not have: see `known_to`."""
    return {"type": "audio", "data": WAV, "mimeType": "audio/wav"}


def embedded(contents: Json) -> Block:
    """Return a block that embeds the contents of a resource."""
    return {"type": "resource", "resource": contents}


def known_to(revision: Revision, block: Block) -> Block:
    """Return the block, or a text in its place where the revision does not have its type.

    Keeps lifecycle.respect-negotiated-version.
    """
    if revision is Revision.R2024_11_05 and block["type"] in {"audio", "resource_link"}:
        return text(f"{block['type']} content needs a later revision than {revision}")
    return block
