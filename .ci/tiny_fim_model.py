#!/usr/bin/env python3
"""Writes a model that fills in the middle, and knows nothing: tiny_fim_model.py OUT.gguf

Half a megabyte of fixed random numbers in the shape of a llama, with a token for each byte, a few
for pairs of letters, and the control tokens of fill-in-the-middle, so that a llama.cpp server loads it
in no time and answers on every endpoint that a real code model has. What it says is noise, with
characters cut apart between tokens: good for how an answer arrives, useless for what is in it.

The same file comes out every time. Absent on purpose: a chat template; chat has a model of its own.
Needs the Python packages gguf and numpy.
"""

import sys

import gguf
import numpy

WIDTH = 64
LAYERS = 2
HEADS = 4
FEED_FORWARD = 128
# A token is a byte here, so what is a short prompt elsewhere takes four times the room.
CONTEXT = 32768

PAIRS = ["fn", "re", "tu", "rn", "if", "in", "er", "on", "th", "==", "//", "()"]

# The end of an answer, and what a server looks for to know that the model can fill in.
END = "<|endoftext|>"
FILL_IN = {
    "<|fim_prefix|>": gguf.Keys.Tokenizer.FIM_PRE_ID,
    "<|fim_suffix|>": gguf.Keys.Tokenizer.FIM_SUF_ID,
    "<|fim_middle|>": gguf.Keys.Tokenizer.FIM_MID_ID,
    "<|fim_pad|>": gguf.Keys.Tokenizer.FIM_PAD_ID,
    "<|repo_name|>": gguf.Keys.Tokenizer.FIM_REP_ID,
    "<|file_sep|>": gguf.Keys.Tokenizer.FIM_SEP_ID,
}


def main(path):
    ordinary = [letter_of(byte) for byte in range(256)] + PAIRS
    control = [END, *FILL_IN]
    tokens = ordinary + control

    model = gguf.GGUFWriter(path, "llama")
    model.add_name("tiny-fim")
    write_shape(model, len(tokens))
    write_tokens(model, ordinary, control)
    write_weights(model, len(tokens))
    model.write_header_to_file()
    model.write_kv_data_to_file()
    model.write_tensors_to_file()
    model.close()


def letter_of(byte):
    """The letter that stands for a byte in vocabularies of bytes: itself where it prints, or else one
    from 256 on, in order."""
    if prints(byte):
        return chr(byte)
    return chr(256 + sum(not prints(before) for before in range(byte)))


def prints(byte):
    return 0x21 <= byte <= 0x7E or 0xA1 <= byte <= 0xFF and byte != 0xAD


def write_shape(model, token_count):
    model.add_context_length(CONTEXT)
    model.add_embedding_length(WIDTH)
    model.add_block_count(LAYERS)
    model.add_feed_forward_length(FEED_FORWARD)
    model.add_head_count(HEADS)
    model.add_head_count_kv(HEADS)
    model.add_layer_norm_rms_eps(1e-5)
    model.add_rope_dimension_count(WIDTH // HEADS)
    model.add_vocab_size(token_count)
    model.add_file_type(gguf.LlamaFileType.ALL_F32)


def write_tokens(model, ordinary, control):
    kinds = [gguf.TokenType.NORMAL] * len(ordinary) + [gguf.TokenType.CONTROL] * len(control)
    ids = {token: len(ordinary) + index for index, token in enumerate(control)}
    model.add_tokenizer_model("gpt2")
    model.add_tokenizer_pre("qwen2")
    model.add_token_list(ordinary + control)
    model.add_token_types(kinds)
    model.add_token_merges([" ".join(pair) for pair in PAIRS])
    model.add_bos_token_id(ids[END])
    model.add_eos_token_id(ids[END])
    model.add_add_bos_token(False)
    for token, key in FILL_IN.items():
        model.add_uint32(key, ids[token])


def write_weights(model, token_count):
    numbers = numpy.random.default_rng(seed=7)

    def noise(name, *shape):
        weights = numbers.standard_normal(shape) * 0.15
        model.add_tensor(f"{name}.weight", weights.astype(numpy.float32))

    def ones(name):
        model.add_tensor(f"{name}.weight", numpy.ones(WIDTH, numpy.float32))

    noise("token_embd", token_count, WIDTH)
    noise("output", token_count, WIDTH)
    ones("output_norm")
    for layer in range(LAYERS):
        ones(f"blk.{layer}.attn_norm")
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            noise(f"blk.{layer}.{part}", WIDTH, WIDTH)
        ones(f"blk.{layer}.ffn_norm")
        noise(f"blk.{layer}.ffn_gate", FEED_FORWARD, WIDTH)
        noise(f"blk.{layer}.ffn_up", FEED_FORWARD, WIDTH)
        noise(f"blk.{layer}.ffn_down", WIDTH, FEED_FORWARD)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: tiny_fim_model.py OUT.gguf")
    main(sys.argv[1])
