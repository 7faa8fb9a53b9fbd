"""Text ↔ rows of the reduced vocabulary."""
from __future__ import annotations

from pathlib import Path

from tokenizers import Tokenizer

# start of transcript and what follows it: English-only and multilingual models
PROMPTS = {"english": [50257, 50362], "multilingual": [50258, 50259, 50359, 50363]}
ENDS = {"english": 50256, "multilingual": 50257}


class Words:
    """`ids`: token of every row, in order."""

    def __init__(self, tokenizer: Path, ids: list[int]) -> None:
        self.tokenizer = Tokenizer.from_file(str(tokenizer))
        self.ids, self.row = ids, {token: row for row, token in enumerate(ids)}
        kind = "multilingual" if PROMPTS["multilingual"][0] in self.row and PROMPTS["multilingual"][1] in self.row else "english"
        self.prompt = [self.row[t] for t in PROMPTS[kind]]
        self.end = self.row[ENDS[kind]]
        self.pieces = {piece: self.row[token] for piece, token in self.tokenizer.get_vocab().items() if token in self.row}
        self.longest = max(map(len, self.pieces))

    def rows(self, text: str) -> list[int]:
        """Rows of lower-case words. A word whose own tokens are not kept is put together from the longest pieces that are.

        @raises ValueError when a letter has no row
        """
        out: list[int] = []
        for word in text.split():
            own = self.tokenizer.encode(" " + word, add_special_tokens=False).ids
            if all(t in self.row for t in own):
                out += [self.row[t] for t in own]
                continue
            rest = "Ġ" + word
            while rest:
                piece = next((rest[:n] for n in range(min(len(rest), self.longest), 0, -1) if rest[:n] in self.pieces), None)
                if piece is None:
                    raise ValueError(f'no token for "{rest[0]}" in "{word}"')
                out.append(self.pieces[piece])
                rest = rest[len(piece) :]
        return out

    def text(self, rows: list[int]) -> str:
        return self.tokenizer.decode([self.ids[r] for r in rows]).strip()


def useful_tokens(tokenizer: Path, texts: list[str], pieces_below: int = 6000) -> set[int]:
    """Tokens that the texts need, every lower-case letter with and without a space, and common lower-case pieces, with which names that
    occur in no text can be written."""
    words = Tokenizer.from_file(str(tokenizer))
    out: set[int] = set()
    for word in {w for text in texts for w in text.split()}:
        out.update(words.encode(" " + word, add_special_tokens=False).ids)
    for piece, token in words.get_vocab().items():
        bare = piece.removeprefix("Ġ")
        if bare.isascii() and bare.isalpha() and bare.islower() and (len(bare) == 1 or token < pieces_below):
            out.add(token)
    return out
