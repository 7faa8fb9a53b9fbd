"""The two networks: MiniLM (an encoder) and SmolLM2 (a causal language model), both with the same heads.

Both read the words of both halves, and with each word one of FEATURES (words.py), whose vector is added to the word's. One pass gives the
logits of the ten types, of the slot, and of a mark for every piece of a word.
"""
from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from pairs import MARKS, SLOTS, TYPES
from words import FEATURES, halves

MINILM_WIDTH = 384


@dataclass
class Encoded:
    """One pair as rows: pieces, features, segments (0 frame, 1 instruction, 2 readback), marks (-100 where there is none)."""

    ids: list[int]
    features: list[int]
    segments: list[int]
    # the half's raw word that a piece belongs to, -1 for the frame
    sources: list[int]


class WordPieces:
    """BERT's greedy longest match, word by word."""

    def __init__(self, vocabulary: list[str]) -> None:
        self.vocabulary = vocabulary
        self.ids = {piece: i for i, piece in enumerate(vocabulary)}
        self.known: dict[str, list[int]] = {}

    def pieces(self, word: str) -> list[int]:
        if word in self.known:
            return self.known[word]
        out, at = [], 0
        while at < len(word):
            end = len(word)
            while end > at and ("##" if at else "") + word[at:end] not in self.ids:
                end -= 1
            if end == at:
                out = [self.ids["[UNK]"]]
                break
            out.append(self.ids[("##" if at else "") + word[at:end]])
            at = end
        self.known[word] = out
        return out

    def encode(self, instruction: str, readback: str, profile: str) -> Encoded:
        """[CLS] paper|icao instruction [SEP] readback [SEP]"""
        cls, sep = self.ids["[CLS]"], self.ids["[SEP]"]
        e = Encoded([cls, self.ids["[unused1]" if profile == "paper" else "[unused2]"]], [0, 0], [0, 0], [-1, -1])
        for segment, half in enumerate(halves(instruction, readback), 1):
            fill(e, half, segment, self.pieces)
            e.ids.append(sep), e.features.append(0), e.segments.append(0), e.sources.append(-1)
        return e


def fill(e: Encoded, half, segment: int, pieces) -> None:
    for word, source, feature in zip(half.words, half.sources, half.features):
        ids = pieces(word)
        e.ids += ids
        e.features += [feature] * len(ids)
        e.segments += [segment] * len(ids)
        e.sources += [source] * len(ids)


class BytePairs:
    """SmolLM2's byte pairs, word by word with the space before, in a reduced vocabulary."""

    def __init__(self, tokens: list[str], merges: list[str], kept: list[int] | None = None) -> None:
        from tokenizers import Tokenizer, decoders, models, pre_tokenizers

        self.tokenizer = Tokenizer(models.BPE(vocab={t: i for i, t in enumerate(tokens)}, merges=[tuple(m.split(" ")) for m in merges]))
        self.tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        self.tokenizer.decoder = decoders.ByteLevel()
        self.rows = None if kept is None else {t: i for i, t in enumerate(kept)}
        self.known: dict[str, list[int]] = {}

    def pieces(self, word: str) -> list[int]:
        if word not in self.known:
            ids = self.tokenizer.encode(" " + word).ids
            if self.rows is not None and any(i not in self.rows for i in ids):  # letter by letter: those are always kept
                ids = [i for c in [" ", *word] for i in self.tokenizer.encode(c).ids]
            self.known[word] = ids if self.rows is None else [self.rows[i] for i in ids if i in self.rows]
        return self.known[word]

    def encode(self, instruction: str, readback: str, profile: str) -> Encoded:
        """profile : controller instruction . pilot readback . error : — the answer is read at the last piece."""
        e = Encoded([], [], [], [])

        def frame(*words: str) -> None:
            for word in words:
                ids = self.pieces(word)
                e.ids.extend(ids), e.features.extend([0] * len(ids)), e.segments.extend([0] * len(ids)), e.sources.extend([-1] * len(ids))

        a, b = halves(instruction, readback)
        frame(profile, "controller", "said")
        fill(e, a, 1, self.pieces)
        frame("pilot", "answered")
        fill(e, b, 2, self.pieces)
        frame("error")
        return e


class Heads(nn.Module):
    """From a vector for the pair and the marks of its pieces to types and slots."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.marks = nn.Linear(width, len(MARKS))
        joint = width + 2 * len(MARKS)
        self.types = nn.Linear(joint, len(TYPES))
        self.slots = nn.Linear(joint, len(SLOTS))

    def forward(self, hidden: torch.Tensor, whole: torch.Tensor, segments: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """hidden [B, N, W], whole [B, W], segments [B, N] → types [B, 10], slots [B, S], marks [B, N, M]."""
        marks = self.marks(hidden)
        # the strongest evidence of each kind in either half
        most = [marks.masked_fill((segments != s).unsqueeze(-1), -20.0).amax(1) for s in (1, 2)]
        joint = torch.cat([whole, *(torch.tanh(m / 8) for m in most)], -1)
        return self.types(joint), self.slots(joint), marks


class EncoderLayer(nn.Module):
    def __init__(self, width: int, heads: int, inner: int, drop: float) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.norm1, self.norm2 = nn.LayerNorm(width, eps=1e-12), nn.LayerNorm(width, eps=1e-12)
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)
        self.drop = nn.Dropout(drop)

    def forward(self, x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        b, n, w = x.shape
        split = lambda t: t.view(b, n, self.heads, w // self.heads).transpose(1, 2)  # noqa: E731
        q, k, v = split(self.query(x)), split(self.key(x)), split(self.value(x))
        weights = torch.softmax(q @ k.transpose(2, 3) / math.sqrt(w // self.heads) + bias, -1)
        x = self.norm1(x + self.drop(self.out((weights @ v).transpose(1, 2).reshape(b, n, w))))
        return self.norm2(x + self.drop(self.down(F.gelu(self.up(x)))))


class Encoder(nn.Module):
    """An encoder with the features added to its embeddings; the pair's vector is that of [CLS]. As wide as MiniLM-L6-H384 it is that model (or its first
    layers); narrower it begins from nothing, with MiniLM's words brought down to its width."""

    def __init__(self, vocabulary: int, width: int = 384, layers: int = 6, heads: int = 12, inner: int = 1536, longest: int = 512) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary, MINILM_WIDTH)
        self.narrow = nn.Identity() if width == MINILM_WIDTH else nn.Linear(MINILM_WIDTH, width, bias=False)
        self.places = nn.Embedding(longest, width)
        self.halves = nn.Embedding(2, width)
        self.features = nn.Embedding(FEATURES, width)
        nn.init.zeros_(self.features.weight)
        for each in (self.places, self.halves):
            nn.init.normal_(each.weight, std=0.02)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.drop = nn.Dropout(0.1 if width == MINILM_WIDTH else 0.0)
        self.layers = nn.ModuleList(EncoderLayer(width, heads, inner, self.drop.p) for _ in range(layers))
        self.heads = Heads(width)

    def forward(self, ids: torch.Tensor, features: torch.Tensor, segments: torch.Tensor, here: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """All [B, N]; `here` 1 for pieces, 0 for padding."""
        places = torch.arange(ids.shape[1], device=ids.device).unsqueeze(0)
        x = self.narrow(self.words(ids)) + self.places(places) + self.halves((segments == 2).long()) + self.features(features)
        x = self.drop(self.norm(x))
        bias = (1.0 - here.float()).unsqueeze(1).unsqueeze(1) * -10000.0
        for layer in self.layers:
            x = layer(x, bias)
        return self.heads(x, x[:, 0], segments)

    @classmethod
    def small(cls, safetensors: Path, width: int, layers: int) -> "Encoder":
        from safetensors.torch import load_file

        words = load_file(safetensors)["embeddings.word_embeddings.weight"]
        net = cls(words.shape[0], width, layers, width // 32, 3 * width)
        net.words.weight.data.copy_(words)
        nn.init.normal_(net.narrow.weight, std=0.05)
        return net

    @classmethod
    def pretrained(cls, safetensors: Path, layers: int = 6) -> "Encoder":
        from safetensors.torch import load_file

        w = {k.removeprefix("bert."): v for k, v in load_file(safetensors).items()}
        net = cls(w["embeddings.word_embeddings.weight"].shape[0], layers=layers)
        put = {"words.weight": "embeddings.word_embeddings.weight", "places.weight": "embeddings.position_embeddings.weight", "halves.weight": "embeddings.token_type_embeddings.weight", "norm.weight": "embeddings.LayerNorm.weight", "norm.bias": "embeddings.LayerNorm.bias"}
        parts = {"query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value", "out": "attention.output.dense", "norm1": "attention.output.LayerNorm", "up": "intermediate.dense", "down": "output.dense", "norm2": "output.LayerNorm"}
        for i in range(layers):
            put |= {f"layers.{i}.{ours}.{kind}": f"encoder.layer.{i}.{theirs}.{kind}" for ours, theirs in parts.items() for kind in ("weight", "bias")}
        missing, unexpected = net.load_state_dict({ours: w[theirs] for ours, theirs in put.items()}, strict=False)
        assert not unexpected and all(m.startswith(("heads.", "features.")) for m in missing), (missing, unexpected)
        return net


class CausalLayer(nn.Module):
    def __init__(self, width: int, heads: int, shared: int, inner: int) -> None:
        super().__init__()
        self.heads, self.shared, self.size = heads, shared, width // heads
        self.norm1, self.norm2 = nn.RMSNorm(width, eps=1e-5), nn.RMSNorm(width, eps=1e-5)
        self.query = nn.Linear(width, width, bias=False)
        self.key, self.value = (nn.Linear(width, shared * self.size, bias=False) for _ in range(2))
        self.out = nn.Linear(width, width, bias=False)
        self.gate, self.up = (nn.Linear(width, inner, bias=False) for _ in range(2))
        self.down = nn.Linear(inner, width, bias=False)

    def forward(self, x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        b, n, w = x.shape
        y = self.norm1(x)
        q = self.query(y).view(b, n, self.heads, self.size).transpose(1, 2)
        k = self.key(y).view(b, n, self.shared, self.size).transpose(1, 2)
        v = self.value(y).view(b, n, self.shared, self.size).transpose(1, 2)
        turn = lambda t: t * cos + torch.cat([-t[..., self.size // 2 :], t[..., : self.size // 2]], -1) * sin  # noqa: E731
        q, k = turn(q), turn(k)
        k, v = (t.repeat_interleave(self.heads // self.shared, 1) for t in (k, v))
        weights = torch.softmax(q @ k.transpose(2, 3) / math.sqrt(self.size) + bias, -1)
        x = x + self.out((weights @ v).transpose(1, 2).reshape(b, n, w))
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Causal(nn.Module):
    """SmolLM2 without its output layer: the answer is read off the last piece's vector by a head over the ten types. The names of the
    types share their first tokens, so scoring them as text would take several passes; the head takes one and needs no vocabulary."""

    def __init__(self, vocabulary: int, width: int = 576, layers: int = 30, heads: int = 9, shared: int = 3, inner: int = 1536, theta: float = 100000.0) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary, width)
        self.features = nn.Embedding(FEATURES, width)
        nn.init.zeros_(self.features.weight)
        self.layers = nn.ModuleList(CausalLayer(width, heads, shared, inner) for _ in range(layers))
        self.norm = nn.RMSNorm(width, eps=1e-5)
        self.heads = Heads(width)
        size = width // heads
        self.register_buffer("turns", theta ** (-torch.arange(0, size, 2).float() / size), persistent=False)

    def forward(self, ids: torch.Tensor, features: torch.Tensor, segments: torch.Tensor, here: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        b, n = ids.shape
        angles = torch.arange(n).float().unsqueeze(1) * self.turns.unsqueeze(0)
        cos, sin = (torch.cat([f(angles)] * 2, -1) for f in (torch.cos, torch.sin))
        later = torch.ones(n, n).triu(1) * -10000.0
        bias = later.unsqueeze(0).unsqueeze(0) + (1.0 - here.float()).unsqueeze(1).unsqueeze(1) * -10000.0
        x = self.words(ids) + self.features(features)
        for layer in self.layers:
            x = layer(x, cos, sin, bias)
        x = self.norm(x)
        last = (here.sum(1) - 1).clamp(min=0)
        return self.heads(x, x[torch.arange(b), last], segments)


def read_gguf(path: Path) -> tuple[dict[str, np.ndarray], list[str], list[str]]:
    """Weights as float32, tokens and merges of a GGUF file."""
    from gguf import GGUFReader, dequantize

    reader = GGUFReader(path)
    weights = {t.name: dequantize(t.data, t.tensor_type).astype(np.float32).reshape([int(d) for d in reversed(t.shape)]) for t in reader.tensors}
    text = lambda name: [bytes(reader.fields[name].parts[i]).decode("utf8") for i in reader.fields[name].data]  # noqa: E731
    return weights, text("tokenizer.ggml.tokens"), text("tokenizer.ggml.merges")


def unpermuted(weight: np.ndarray, heads: int) -> np.ndarray:
    """llama.cpp interleaves the two halves of a head's rows; put them back."""
    rows, width = weight.shape
    return weight.reshape(heads, rows // heads // 2, 2, width).swapaxes(1, 2).reshape(rows, width)


def causal_from_gguf(path: Path, kept: list[int], layers: int = 30) -> Causal:
    w, _, _ = read_gguf(path)
    net = Causal(len(kept), layers=layers)
    state = {"words.weight": w["token_embd.weight"][kept], "norm.weight": w["output_norm.weight"]}
    for i in range(layers):
        at = lambda name: w[f"blk.{i}.{name}.weight"]  # noqa: E731
        state |= {f"layers.{i}.{ours}.weight": at(theirs) for ours, theirs in {"norm1": "attn_norm", "norm2": "ffn_norm", "value": "attn_v", "out": "attn_output", "gate": "ffn_gate", "up": "ffn_up", "down": "ffn_down"}.items()}
        state |= {f"layers.{i}.query.weight": unpermuted(at("attn_q"), 9), f"layers.{i}.key.weight": unpermuted(at("attn_k"), 3)}
    missing, unexpected = net.load_state_dict({k: torch.from_numpy(np.ascontiguousarray(v)) for k, v in state.items()}, strict=False)
    assert not unexpected and all(m.startswith(("heads.", "features.")) for m in missing), (missing, unexpected)
    return net
