"""Whisper for training: batches, encoder of any length, parameters under transformers' names, vocabulary reduced to the rows that are used.

Shapes: B batch, T mel frames (10 ms), S = T / 2 encoder positions (20 ms), N tokens, V rows of the vocabulary, D width.
"""
from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "export"))
from graphs import HOP, WINDOW, mel_filters  # noqa: E402
from weights import HEAD_SIZE, Weights  # noqa: E402


class LogMel(nn.Module):
    """[B, samples] → [B, bands, samples // 160], the front end of the exported graph with a fast Fourier transform."""

    def __init__(self, bands: int) -> None:
        super().__init__()
        self.register_buffer("filters", torch.tensor(mel_filters(bands)), persistent=False)
        self.register_buffer("window", torch.hann_window(WINDOW), persistent=False)

    @torch.no_grad()
    def forward(self, pcm: Tensor) -> Tensor:
        power = torch.stft(pcm, WINDOW, HOP, window=self.window, return_complex=True)[..., :-1].abs() ** 2
        level = torch.clamp(self.filters @ power, min=1e-10).log10()
        level = torch.maximum(level, level.amax((1, 2), keepdim=True) - 8.0)
        return (level + 4.0) / 4.0


def masked(mel: Tensor) -> Tensor:
    """Two stripes of up to ten bands and two of up to .2 s set to the clip's mean: nobody's voice is heard whole (Park et al. 2019, SpecAugment)."""
    out, (clips, bands, frames) = mel.clone(), mel.shape
    for i in range(clips):
        quiet = mel[i].mean()
        for _ in range(2):
            size, wide = random.randint(0, 10), random.randint(0, min(20, frames))
            low, at = random.randint(0, bands - size), random.randint(0, frames - wide)
            out[i, low : low + size] = quiet
            out[i, :, at : at + wide] = quiet
    return out


def attend(q: Tensor, k: Tensor, v: Tensor, causal: bool) -> Tensor:
    """Scaled dot-product attention, [B, heads, N, 64] of q and [B, heads, S, 64] of k and v → [B, heads, N, 64]. In bfloat16 as two plain
    products: they run on the processor's matrix units, which torch's own kernel for the CPU leaves idle (a step of training 2.5 → 1.5 s)."""
    if q.dtype != torch.bfloat16:
        return F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    with torch.autocast("cpu", enabled=False):
        weight = (q * HEAD_SIZE**-0.5) @ k.transpose(-1, -2)
        if causal:
            weight = weight + torch.full(weight.shape[-2:], float("-inf"), dtype=weight.dtype).triu(1)
        return weight.softmax(-1) @ v


class Attention(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.heads = width // HEAD_SIZE
        self.k_proj = nn.Linear(width, width, bias=False)
        self.v_proj, self.q_proj, self.out_proj = (nn.Linear(width, width) for _ in range(3))

    def split(self, x: Tensor) -> Tensor:
        return x.view(x.shape[0], -1, self.heads, HEAD_SIZE).transpose(1, 2)

    def forward(self, x: Tensor, source: Tensor | None = None, causal: bool = False, cache: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """`source`: what keys and values come from (x itself when None). `cache`: keys and values of what came before, or of the whole source."""
        if cache is not None and source is not None:
            k, v = cache
        else:
            k, v = (self.split(p(x if source is None else source)) for p in (self.k_proj, self.v_proj))
            if cache is not None:
                k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        out = attend(self.split(self.q_proj(x)), k, v, causal and x.shape[1] > 1)
        return self.out_proj(out.transpose(1, 2).reshape(x.shape)), (k, v)


class Layer(nn.Module):
    def __init__(self, width: int, decoder: bool) -> None:
        super().__init__()
        self.self_attn, self.self_attn_layer_norm = Attention(width), nn.LayerNorm(width)
        if decoder:
            self.encoder_attn, self.encoder_attn_layer_norm = Attention(width), nn.LayerNorm(width)
        self.fc1, self.fc2, self.final_layer_norm = nn.Linear(width, 4 * width), nn.Linear(4 * width, width), nn.LayerNorm(width)
        self.decoder = decoder

    def forward(self, x: Tensor, heard: Tensor | None = None, cache: list | None = None) -> tuple[Tensor, list]:
        a, own = self.self_attn(self.self_attn_layer_norm(x), causal=self.decoder, cache=None if cache is None else cache[0])
        x, cross = x + a, None
        if heard is not None:
            a, cross = self.encoder_attn(self.encoder_attn_layer_norm(x), heard, cache=None if cache is None else cache[1])
            x = x + a
        return x + self.fc2(F.gelu(self.fc1(self.final_layer_norm(x)))), [own, cross]


class Encoder(nn.Module):
    def __init__(self, width: int, layers: int, bands: int) -> None:
        super().__init__()
        self.conv1, self.conv2 = nn.Conv1d(bands, width, 3, padding=1), nn.Conv1d(width, width, 3, stride=2, padding=1)
        self.embed_positions = nn.Embedding(1500, width)
        self.embed_positions.weight.requires_grad_(False)
        self.layers, self.layer_norm = nn.ModuleList(Layer(width, False) for _ in range(layers)), nn.LayerNorm(width)

    def forward(self, mel: Tensor) -> Tensor:
        x = F.gelu(self.conv2(F.gelu(self.conv1(mel)))).transpose(1, 2)
        x = x + self.embed_positions.weight[: x.shape[1]]
        for layer in self.layers:
            x, _ = layer(x)
        return self.layer_norm(x)


class Decoder(nn.Module):
    def __init__(self, width: int, layers: int, rows: int) -> None:
        super().__init__()
        self.embed_tokens, self.embed_positions = nn.Embedding(rows, width), nn.Embedding(448, width)
        self.layers, self.layer_norm = nn.ModuleList(Layer(width, True) for _ in range(layers)), nn.LayerNorm(width)

    def forward(self, tokens: Tensor, heard: Tensor, cache: list | None = None) -> tuple[Tensor, list]:
        at = 0 if cache is None else cache[0][0][0].shape[2]
        x = self.embed_tokens(tokens) + self.embed_positions.weight[at : at + tokens.shape[1]]
        new = []
        for i, layer in enumerate(self.layers):
            x, kept = layer(x, heard, None if cache is None else cache[i])
            new.append(kept)
        return self.layer_norm(x) @ self.embed_tokens.weight.T, new


class Inner(nn.Module):
    def __init__(self, width: int, layers: int, rows: int, bands: int) -> None:
        super().__init__()
        self.encoder, self.decoder = Encoder(width, layers, bands), Decoder(width, layers, rows)


class Whisper(nn.Module):
    """[B, samples] and [B, N] rows → logits [B, N, V]."""

    def __init__(self, width: int, layers: int, rows: int, bands: int = 80) -> None:
        super().__init__()
        self.front, self.model = LogMel(bands), Inner(width, layers, rows, bands)
        # share of the batches in training with parts of the spectrogram hidden
        self.hidden = 0.0

    def hear(self, pcm: Tensor) -> Tensor:
        mel = self.front(pcm)
        return self.model.encoder(masked(mel) if self.training and random.random() < self.hidden else mel)

    def forward(self, pcm: Tensor, tokens: Tensor) -> Tensor:
        return self.model.decoder(tokens, self.hear(pcm))[0]

    @torch.no_grad()
    def greedy(self, pcm: Tensor, prompt: list[int], end: int, most: int = 90) -> list[list[int]]:
        """Rows said for each of the batch, without prompt and end."""
        heard, cache = self.hear(pcm), None
        tokens = torch.tensor([prompt] * len(pcm))
        said: list[list[int]] = [[] for _ in range(len(pcm))]
        open_ = torch.ones(len(pcm), dtype=torch.bool)
        for _ in range(most):
            logits, cache = self.model.decoder(tokens, heard, cache)
            best = logits[:, -1].argmax(-1)
            open_ &= best != end
            for i in open_.nonzero()[:, 0].tolist():
                said[i].append(int(best[i]))
            if not open_.any():
                break
            tokens = best[:, None]
        return said


def from_weights(weights: Weights) -> Whisper:
    """A model with these weights (transformers' names)."""
    net = Whisper(weights.width, weights.layers("encoder"), weights.vocabulary, weights.mel_bands)
    state = {name: torch.tensor(np.array(value, np.float32)) for name, value in weights.arrays.items()}
    missing, unknown = net.load_state_dict(state, strict=False)
    if missing or unknown:
        raise ValueError(f"the checkpoint does not fit: missing {missing}, unknown {unknown}")
    return net
