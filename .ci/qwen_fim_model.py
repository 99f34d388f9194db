#!/usr/bin/env python3
"""Writes a model with Qwen2.5-Coder's tokens and none of its knowledge:
qwen_fim_model.py TOKENIZER.json OUT.gguf

The tokenizer and the control tokens are the real ones, so that a prompt has as many tokens as it
would have there, and a llama.cpp server keeps, trims and reads again just what it would. The weights
are fixed random numbers, and few, so that it reads thousands of tokens a second on one thread: who
measures slows it down to what they want.

Of all tokens it says only a few words of code, the ends of lines and the end of an answer. As many
tokens mean each of these as make its answers a line or a few, most of which end by themselves.

The same file comes out every time. Absent on purpose: a chat template, and sense.
Needs the Python packages gguf and numpy.
"""

import json
import sys

import gguf
import numpy

from tiny_fim_model import END, FILL_IN

# The shape is that of Qwen2.5-Coder but for its size.
WIDTH = 64
LAYERS = 2
HEADS = 2
HEADS_KV = 1
FEED_FORWARD = 128
CONTEXT = 32768
TOKENS = 151936

# What it may say. A server takes each of the ends for one.
WORDS = [
    *[" return", " self", " value", "(", ")", " =", " len", " if", " in", " for", " x", " i", ";"],
    *["name", " data", "_list", ".get", "[", "0", "]", " result", ".push", " not", ",", ".", " +"],
    *[" count", "(&", " let", " next", ".iter", "()", " =>", " as", " first", " last", "_of", "1"],
]
LINE_ENDS = ["\n", ";\n", ")\n", " {\n", ");\n"]
ENDS = [END, "<|fim_pad|>", "<|file_sep|>"]

# How much louder than the others what it may say is, so that nothing else is ever heard, and one of
# them so much louder than the rest that samplers that look at how sure a model is take it as sure.
LOUDNESS = 16.0


def main(tokenizer_path, path):
    with open(tokenizer_path, encoding="utf-8") as file:
        tokenizer = json.load(file)
    model = gguf.GGUFWriter(path, "qwen2")
    model.add_name("qwen2.5-coder-shape")
    write_shape(model)
    ids = write_tokens(model, tokenizer)
    write_weights(model, [ids[spelt(said)] for said in [*WORDS, *LINE_ENDS, *ENDS]])
    model.write_header_to_file()
    model.write_kv_data_to_file()
    model.write_tensors_to_file()
    model.close()


def write_shape(model):
    model.add_context_length(CONTEXT)
    model.add_embedding_length(WIDTH)
    model.add_block_count(LAYERS)
    model.add_feed_forward_length(FEED_FORWARD)
    model.add_head_count(HEADS)
    model.add_head_count_kv(HEADS_KV)
    model.add_layer_norm_rms_eps(1e-6)
    model.add_rope_freq_base(1_000_000.0)
    model.add_vocab_size(TOKENS)
    model.add_file_type(gguf.LlamaFileType.MOSTLY_Q8_0)


def write_tokens(model, tokenizer):
    """Writes the vocabulary, and says which number a token has."""
    ids = dict(tokenizer["model"]["vocab"])
    kinds = dict.fromkeys(ids, gguf.TokenType.NORMAL)
    for added in tokenizer["added_tokens"]:
        # The tools' tokens are marked as ordinary text, and are written the same way.
        is_control = added["special"] or added["content"].startswith("<|")
        ids[added["content"]] = added["id"]
        kinds[added["content"]] = (
            gguf.TokenType.CONTROL if is_control else gguf.TokenType.USER_DEFINED
        )
    tokens = {number: token for token, number in ids.items()}
    # The model has more rows than the tokenizer has words.
    spare = [number for number in range(TOKENS) if number not in tokens]
    tokens |= {number: f"[PAD{number}]" for number in spare}
    listed = [tokens[number] for number in range(TOKENS)]

    model.add_tokenizer_model("gpt2")
    model.add_tokenizer_pre("qwen2")
    model.add_token_list(listed)
    model.add_token_types([kinds.get(token, gguf.TokenType.UNUSED) for token in listed])
    merges = tokenizer["model"]["merges"]
    model.add_token_merges([it if isinstance(it, str) else " ".join(it) for it in merges])
    model.add_bos_token_id(ids[END])
    model.add_eos_token_id(ids[END])
    model.add_add_bos_token(False)
    for token, key in FILL_IN.items():
        model.add_uint32(key, ids[token])
    return ids


def spelt(text):
    """A text in the letters that stand for bytes in the vocabulary."""
    return text.replace(" ", "\u0120").replace("\n", "\u010a")


def write_weights(model, said):
    numbers = numpy.random.default_rng(seed=7)

    def add(name, weights):
        eighth = gguf.GGMLQuantizationType.Q8_0
        small = gguf.quants.quantize(weights.astype(numpy.float32), eighth)
        model.add_tensor(f"{name}.weight", small, raw_dtype=eighth)

    def noise(name, out_of, into, loudness=1.0):
        add(name, numbers.standard_normal((out_of, into)) * loudness / numpy.sqrt(into))

    def ones(name):
        model.add_tensor(f"{name}.weight", numpy.ones(WIDTH, numpy.float32))

    def zeros(name, width):
        model.add_tensor(f"{name}.bias", numpy.zeros(width, numpy.float32))

    width_kv = WIDTH // HEADS * HEADS_KV
    noise("token_embd", TOKENS, WIDTH)
    heard = numpy.zeros((TOKENS, WIDTH))
    heard[said] = numbers.standard_normal((len(said), WIDTH)) * LOUDNESS / numpy.sqrt(WIDTH)
    add("output", heard)
    ones("output_norm")
    for layer in range(LAYERS):
        ones(f"blk.{layer}.attn_norm")
        for part, out_of in (("q", WIDTH), ("k", width_kv), ("v", width_kv)):
            noise(f"blk.{layer}.attn_{part}", out_of, WIDTH, loudness=2.0)
            zeros(f"blk.{layer}.attn_{part}", out_of)
        noise(f"blk.{layer}.attn_output", WIDTH, WIDTH, loudness=2.0)
        ones(f"blk.{layer}.ffn_norm")
        noise(f"blk.{layer}.ffn_gate", FEED_FORWARD, WIDTH, loudness=2.0)
        noise(f"blk.{layer}.ffn_up", FEED_FORWARD, WIDTH)
        noise(f"blk.{layer}.ffn_down", WIDTH, FEED_FORWARD)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: qwen_fim_model.py TOKENIZER.json OUT.gguf")
    main(*sys.argv[1:])
