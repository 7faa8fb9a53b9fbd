"""Whisper as two graphs that need no audio or tokenizer library around them.

Encoder: PCM → log-mel → audio encoder → cross-attention keys and values of every decoder layer.
Decoder: tokens + self-attention cache + cross-attention keys and values → logits of the last position, new cache, and the
cross-attention weights of the alignment heads (for word times).

Shapes (batch is always 1; H heads of 64; S = encoder positions, one for 20 ms; P = tokens in the cache; N = new tokens):

    encoder   pcm [1, samples]                → cross_k_i [1, H, 64, S], cross_v_i [1, H, S, 64]
    decoder   tokens [1, N] int64,
              past_k_i, past_v_i [1, H, P, 64],
              cross_k_i, cross_v_i            → logits [1, V], present_k_i, present_v_i [1, H, P+N, 64],
                                                alignment [heads, N, S]
"""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from weights import HEAD_SIZE, Weights

SAMPLE_RATE = 16_000
WINDOW = 400  # samples of one short-time spectrum (25 ms)
HOP = 160  # samples between two (10 ms)
MAX_SAMPLES = 30 * SAMPLE_RATE


def mel_filters(bands: int) -> np.ndarray:
    """Triangular filters on Slaney's mel scale with area normalisation: [bands, WINDOW // 2 + 1].

    Linear below 1 kHz (200/3 Hz a mel), logarithmic above (a factor 6.4 in 27 steps); M. Slaney, Auditory Toolbox (1998).
    """
    step, corner, log_step = 200.0 / 3, 1000.0, math.log(6.4) / 27
    corner_mel = corner / step

    def to_mel(hertz: float) -> float:
        return hertz / step if hertz < corner else corner_mel + math.log(hertz / corner) / log_step

    def to_hertz(mel: np.ndarray) -> np.ndarray:
        return np.where(mel < corner_mel, mel * step, corner * np.exp(log_step * (mel - corner_mel)))

    edges = to_hertz(np.linspace(0.0, to_mel(SAMPLE_RATE / 2), bands + 2))
    bins = np.linspace(0.0, SAMPLE_RATE / 2, WINDOW // 2 + 1)
    rising = (bins[None] - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    falling = (edges[2:, None] - bins[None]) / (edges[2:] - edges[1:-1])[:, None]
    triangles = np.maximum(0.0, np.minimum(rising, falling))
    return (triangles * (2.0 / (edges[2:] - edges[:-2]))[:, None]).astype(np.float32)


class LogMel(nn.Module):
    """PCM [1, n] → [1, bands, n // 160], as Whisper was trained on.

    The short-time Fourier transform is one convolution whose kernels are windowed cosines and sines: it exports to plain
    operators and keeps single precision. Frames are centred with reflection at both ends and the last one is dropped.
    """

    def __init__(self, bands: int) -> None:
        super().__init__()
        n = np.arange(WINDOW, dtype=np.float64)
        window = 0.5 - 0.5 * np.cos(2 * np.pi * n / WINDOW)  # periodic Hann
        # the first and last bin (0 and 8000 Hz) have no weight in any mel band
        phase = 2 * np.pi * np.outer(np.arange(1, WINDOW // 2), n) / WINDOW
        kernels = np.concatenate([np.cos(phase), np.sin(phase)]) * window
        self.bins = WINDOW // 2 - 1
        self.register_buffer("kernels", torch.tensor(kernels, dtype=torch.float32)[:, None])
        self.register_buffer("filters", torch.tensor(mel_filters(bands)[:, 1:-1]))

    def forward(self, pcm: Tensor) -> Tensor:
        padded = F.pad(pcm[:, None], (WINDOW // 2, WINDOW // 2), mode="reflect")
        spectrum = F.conv1d(padded, self.kernels, stride=HOP)[:, :, :-1]
        power = spectrum.square()
        power = power[:, : self.bins] + power[:, self.bins :]
        level = torch.log(torch.clamp(self.filters @ power, min=1e-10)) * (1 / math.log(10))
        level = torch.maximum(level, level.amax() - 8.0)
        return (level + 4.0) / 4.0


def _linear(weights: Weights, name: str) -> nn.Linear:
    weight = weights[f"{name}.weight"]
    bias = weights.arrays.get(f"{name}.bias")
    layer = nn.Linear(weight.shape[1], weight.shape[0], bias=bias is not None)
    layer.weight.data = torch.tensor(weight)
    if bias is not None:
        layer.bias.data = torch.tensor(bias)
    return layer


def _norm(weights: Weights, name: str) -> nn.LayerNorm:
    layer = nn.LayerNorm(weights.width)
    layer.weight.data = torch.tensor(weights[f"{name}.weight"])
    layer.bias.data = torch.tensor(weights[f"{name}.bias"])
    return layer


def _conv(weights: Weights, name: str, stride: int) -> nn.Conv1d:
    weight = weights[f"{name}.weight"]
    layer = nn.Conv1d(weight.shape[1], weight.shape[0], weight.shape[2], stride=stride, padding=1)
    layer.weight.data = torch.tensor(weight)
    layer.bias.data = torch.tensor(weights[f"{name}.bias"])
    return layer


class Attention(nn.Module):
    """The four projections of one attention block; the query carries the scale."""

    def __init__(self, weights: Weights, name: str) -> None:
        super().__init__()
        self.query = _linear(weights, f"{name}.q_proj")
        # scaling the weights once saves a multiplication at every step
        self.query.weight.data *= HEAD_SIZE**-0.5
        self.query.bias.data *= HEAD_SIZE**-0.5
        self.key = _linear(weights, f"{name}.k_proj")
        self.value = _linear(weights, f"{name}.v_proj")
        self.out = _linear(weights, f"{name}.out_proj")
        self.heads = weights.heads

    def fuse(self) -> None:
        """One projection in place of three over the same input: the weights are the same, and a step has fewer operators to start."""
        parts = (self.query, self.key, self.value)
        whole = nn.Linear(self.query.in_features, sum(p.out_features for p in parts))
        whole.weight.data = torch.cat([p.weight.data for p in parts])
        whole.bias.data = torch.cat([torch.zeros(p.out_features) if p.bias is None else p.bias.data for p in parts])
        self.whole = whole
        del self.query, self.key, self.value

    def project(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Queries, keys and values of a fused block, [1, H, N, 64] each."""
        query, key, value = self.whole(x).view(1, -1, 3, self.heads, HEAD_SIZE).permute(2, 0, 3, 1, 4)
        return query, key, value

    def split(self, x: Tensor) -> Tensor:
        return x.view(1, -1, self.heads, HEAD_SIZE).transpose(1, 2)

    def join(self, x: Tensor) -> Tensor:
        return x.transpose(1, 2).reshape(1, -1, self.heads * HEAD_SIZE)


class Mlp(nn.Module):
    def __init__(self, weights: Weights, name: str) -> None:
        super().__init__()
        self.norm = _norm(weights, f"{name}.final_layer_norm")
        self.up = _linear(weights, f"{name}.fc1")
        self.down = _linear(weights, f"{name}.fc2")

    def forward(self, x: Tensor) -> Tensor:
        return x + self.down(F.gelu(self.up(self.norm(x))))


class EncoderLayer(nn.Module):
    def __init__(self, weights: Weights, name: str) -> None:
        super().__init__()
        self.norm = _norm(weights, f"{name}.self_attn_layer_norm")
        self.attention = Attention(weights, f"{name}.self_attn")
        self.attention.fuse()
        self.mlp = Mlp(weights, name)

    def forward(self, x: Tensor) -> Tensor:
        a = self.attention
        q, k, v = a.project(self.norm(x))
        x = x + a.out(a.join(torch.softmax(q @ k.transpose(-1, -2), -1) @ v))
        return self.mlp(x)


class Encoder(nn.Module):
    """PCM [1, n] → keys and values for the decoder; as many positions as the audio has (n a multiple of 320)."""

    def __init__(self, weights: Weights) -> None:
        super().__init__()
        self.front = LogMel(weights.mel_bands)
        self.conv1 = _conv(weights, "model.encoder.conv1", 1)
        self.conv2 = _conv(weights, "model.encoder.conv2", 2)
        self.positions = nn.Parameter(torch.tensor(weights["model.encoder.embed_positions.weight"]))
        self.layers = nn.ModuleList(EncoderLayer(weights, f"model.encoder.layers.{i}") for i in range(weights.layers("encoder")))
        self.norm = _norm(weights, "model.encoder.layer_norm")
        self.cross = nn.ModuleList(
            Attention(weights, f"model.decoder.layers.{i}.encoder_attn") for i in range(weights.layers("decoder"))
        )

    def forward(self, pcm: Tensor) -> tuple[Tensor, ...]:
        x = F.gelu(self.conv1(self.front(pcm)))
        x = F.gelu(self.conv2(x)).transpose(1, 2)
        x = x + self.positions[: x.shape[1]]
        for layer in self.layers:
            x = layer(x)
        x = self.norm(x)
        out: list[Tensor] = []
        for a in self.cross:
            out += [a.split(a.key(x)).transpose(-1, -2), a.split(a.value(x))]
        return tuple(out)


class DecoderLayer(nn.Module):
    def __init__(self, weights: Weights, name: str) -> None:
        super().__init__()
        self.self_norm = _norm(weights, f"{name}.self_attn_layer_norm")
        self.self_attention = Attention(weights, f"{name}.self_attn")
        self.self_attention.fuse()
        self.cross_norm = _norm(weights, f"{name}.encoder_attn_layer_norm")
        self.cross_attention = Attention(weights, f"{name}.encoder_attn")
        self.mlp = Mlp(weights, name)

    def forward(
        self, x: Tensor, mask: Tensor, past_k: Tensor, past_v: Tensor, cross_k: Tensor, cross_v: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        a = self.self_attention
        q, k, v = a.project(self.self_norm(x))
        k = torch.cat([past_k, k], 2)
        v = torch.cat([past_v, v], 2)
        x = x + a.out(a.join(torch.softmax(q @ k.transpose(-1, -2) + mask, -1) @ v))
        a, h = self.cross_attention, self.cross_norm(x)
        weight = torch.softmax(a.split(a.query(h)) @ cross_k, -1)
        x = x + a.out(a.join(weight @ cross_v))
        return self.mlp(x), k, v, weight


class Decoder(nn.Module):
    """One step (or the prompt) of the decoder. Arguments after `tokens`: past_k_0, past_v_0, …, cross_k_0, cross_v_0, …"""

    def __init__(self, weights: Weights, alignment_heads: list[tuple[int, int]]) -> None:
        super().__init__()
        embedding = torch.tensor(weights["model.decoder.embed_tokens.weight"])
        self.embedding = nn.Parameter(embedding)
        # a separate copy: the table is looked up, the projection multiplied, and each is quantised in its own way
        self.projection = nn.Parameter(embedding.T.clone())
        self.positions = nn.Parameter(torch.tensor(weights["model.decoder.embed_positions.weight"]))
        self.layers = nn.ModuleList(DecoderLayer(weights, f"model.decoder.layers.{i}") for i in range(weights.layers("decoder")))
        self.norm = _norm(weights, "model.decoder.layer_norm")
        self.alignment_heads = alignment_heads

    def forward(self, tokens: Tensor, *state: Tensor) -> tuple[Tensor, ...]:
        count = len(self.layers)
        past, cross = state[: 2 * count], state[2 * count :]
        before, new = past[0].shape[2], tokens.shape[1]
        x = F.embedding(tokens, self.embedding) + self.positions[before : before + new]
        mask = torch.triu(torch.full((new, before + new), -1e9), 1 + before)
        present: list[Tensor] = []
        attended: list[Tensor] = []
        for i, layer in enumerate(self.layers):
            x, k, v, weight = layer(x, mask, past[2 * i], past[2 * i + 1], cross[2 * i], cross[2 * i + 1])
            present += [k, v]
            attended += [weight[0, h : h + 1] for at, h in self.alignment_heads if at == i]
        logits = self.norm(x[:, -1:])[:, 0] @ self.projection
        return (logits, *present, torch.cat(attended, 0))
