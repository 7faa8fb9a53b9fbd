"""Makes fixtures/llm/tiny-causal: a causal language model in the layout of transformers.js, with weights drawn at random. It says nothing sensible; it is
there to test that such a folder is loaded, asked, stopped and counted.

    python tiny_causal.py --out ../../fixtures/llm/tiny-causal
"""
from __future__ import annotations

import argparse
import json
import math
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from torch import nn

WIDTH, HEADS, LAYERS, POSITIONS = 32, 2, 1, 1024
CHAT = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"


class Tiny(nn.Module):
    """One layer of attention over a cache; positions are learnt."""

    def __init__(self, vocabulary: int) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(vocabulary, WIDTH), nn.Embedding(POSITIONS, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(3))
        self.out = nn.Linear(WIDTH, vocabulary, bias=False)

    def forward(self, input_ids, attention_mask, position_ids, past_key, past_value):
        x = self.words(input_ids) + self.places(position_ids)
        b, n = input_ids.shape
        split = lambda t: t.view(b, n, HEADS, WIDTH // HEADS).transpose(1, 2)  # noqa: E731
        q, k, v = split(self.query(x)), torch.cat([past_key, split(self.key(x))], 2), torch.cat([past_value, split(self.value(x))], 2)
        every = torch.arange(attention_mask.shape[1]).view(1, 1, 1, -1)
        seen = (every <= position_ids.view(b, 1, n, 1)) & (attention_mask.view(b, 1, 1, -1) > 0)
        weights = torch.softmax((q @ k.transpose(2, 3)) / math.sqrt(WIDTH // HEADS) + (~seen).float() * -1e4, -1)
        return self.out(self.norm(x + (weights @ v).transpose(1, 2).reshape(b, n, WIDTH))), k, v


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--out", type=Path, required=True)
    a = p.parse_args()
    torch.manual_seed(3)
    (a.out / "onnx").mkdir(parents=True, exist_ok=True)
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    tokenizer = Tokenizer(models.BPE(vocab={t: i for i, t in enumerate(special + alphabet)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(special)
    tokenizer.save(str(a.out / "tokenizer.json"))
    size = tokenizer.get_vocab_size()
    (a.out / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "GPT2Tokenizer", "bos_token": "<|im_start|>", "eos_token": "<|im_end|>", "pad_token": "<|endoftext|>", "chat_template": CHAT}, indent=1) + "\n")
    (a.out / "config.json").write_text(json.dumps({
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": WIDTH, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "num_key_value_heads": HEADS,
        "vocab_size": size, "max_position_embeddings": POSITIONS, "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0,
    }, indent=1) + "\n")  # fmt: skip
    (a.out / "generation_config.json").write_text(json.dumps({"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}) + "\n")
    net = Tiny(size).eval()
    past = torch.zeros(1, HEADS, 3, WIDTH // HEADS)
    cache = ["past_key_values.0.key", "past_key_values.0.value"]
    torch.onnx.export(
        net, (torch.ones(1, 4, dtype=torch.long), torch.ones(1, 7, dtype=torch.long), torch.arange(3, 7).unsqueeze(0), past, past), str(a.out / "onnx/model.onnx"),
        input_names=["input_ids", "attention_mask", "position_ids", *cache], output_names=["logits", "present.0.key", "present.0.value"],
        dynamic_axes={"input_ids": {0: "b", 1: "n"}, "attention_mask": {0: "b", 1: "t"}, "position_ids": {0: "b", 1: "n"}, **{c: {0: "b", 2: "p"} for c in cache}, "logits": {0: "b", 1: "n"}, "present.0.key": {0: "b", 2: "t"}, "present.0.value": {0: "b", 2: "t"}},
        opset_version=17, dynamo=False,
    )  # fmt: skip


if __name__ == "__main__":
    main()
