"""The tokenizer reduced to what decoding needs: the bytes of every token, in the order of the model's rows.

vocab.json holds one entry a token: its text, or `{"bytes": [..]}` where the token is not valid UTF-8 by itself (byte-level
BPE may cut a character in two), or null for a special token, which never becomes text.
"""

from __future__ import annotations

import json
from pathlib import Path


def byte_alphabet() -> dict[str, int]:
    """GPT-2's printable stand-in for each byte, inverted."""
    printable = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAC + 1), *range(0xAE, 0xFF + 1)]
    characters = {chr(b): b for b in printable}
    for i, b in enumerate(b for b in range(256) if b not in printable):
        characters[chr(256 + i)] = b
    return characters


class Vocabulary:
    """`tokens[i]` is the byte string of row i or None for a special token; `row(name)` finds special tokens by name."""

    def __init__(self, tokenizer: Path, rows: int, kept: list[int] | None) -> None:
        data = json.loads(tokenizer.read_text(encoding="utf-8"))
        alphabet = byte_alphabet()
        by_id: dict[int, bytes | None] = {
            index: bytes(alphabet[c] for c in text) for text, index in data["model"]["vocab"].items() if all(c in alphabet for c in text)
        }
        self._special: dict[str, int] = {}
        for token in data["added_tokens"]:
            by_id[token["id"]] = None
            self._special[token["content"]] = token["id"]
        self.original = kept if kept is not None else list(range(rows))
        if len(self.original) != rows:
            raise ValueError(f"the model has {rows} token rows but {len(self.original)} tokens are named")
        self._row = {token: row for row, token in enumerate(self.original)}
        self.tokens = [by_id.get(token) for token in self.original]

    def row(self, *names: str) -> int | None:
        """Row of the first of these special tokens that the model has."""
        for name in names:
            if (token := self._special.get(name)) is not None and token in self._row:
                return self._row[token]
        return None

    def id_of(self, name: str) -> int | None:
        """A special token's id in the original tokenizer."""
        return self._special.get(name)

    def to_json(self) -> str:
        def entry(token: bytes | None) -> str | dict[str, list[int]] | None:
            if token is None:
                return None
            try:
                return token.decode("utf-8")
            except UnicodeDecodeError:
                return {"bytes": list(token)}

        return json.dumps([entry(t) for t in self.tokens], ensure_ascii=False, separators=(",", ":")) + "\n"
