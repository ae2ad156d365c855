#!/usr/bin/python3
"""make.py - writes the golden frames beside it. Needs Debian's python3-msgpack; building and testing Murakumo does not.

The bytes come from the msgpack package for Python, which shares no code with msgpack-c, and the numbers of types and keys
are written out by hand below. So these files say what the wire is, independently of proto/schema.h.

  NAME.hex         one frame as our encoder must write it
  NAME.json        what it says, as proto/msg_text.h must write it
  foreign/*.hex    frames that other encoders or other versions may send and that must be understood; .json beside them
  refused.txt      frames that must be refused: expected status, bytes, reason
  ../../fuzz/seeds/fuzz_{msg,prescan}/   the same frames as binary files, from which the fuzzers start

Never change a frame of a released minor: add new ones (see "Changing the wire" in proto/PROTOCOL.md).
"""
import json
import os
import struct

import msgpack

BOOT = 0x6d7572616b756d6f
SESSION = 0x9e3779b97f4a7c15
EPOCH = 41

# name of the file -> (type name, type number, sequence, [(key, name, value)])
FRAMES = {
    "hello": ("hello", 0x01, 1, [(1, "name", "kumo-3"), (2, "build", "murakumo 0.1.0 avx2"), (3, "eval_hash", 0xfedcba9876543210), (4, "zobrist_check", 0x0123456789abcdef), (5, "threads", 16), (6, "hash_mb", 4096), (7, "nodes_per_s", 21000000), (8, "eval_name", "material and piece-square")]),
    "hello_minimal": ("hello", 0x01, 1, [(1, "name", ""), (2, "build", ""), (3, "eval_hash", 0), (4, "zobrist_check", 0), (5, "threads", 0), (6, "hash_mb", 0)]),
    "hello_japanese": ("hello", 0x01, 1, [(1, "name", "叢雲三号"), (2, "build", "murakumo 0.1.0"), (3, "eval_hash", 1), (4, "zobrist_check", 2), (5, "threads", 4096), (6, "hash_mb", 33554432)]),
    "welcome": ("welcome", 0x02, 1, [(1, "session", SESSION), (2, "heartbeat_ms", 200), (3, "dead_ms", 2000)]),
    "refuse": ("refuse", 0x03, 1, [(1, "reason", 3), (2, "text", "evaluation differs: this worker has 0f3a, the cluster 77c1; start it with the cluster's EvalFile")]),
    "reset": ("reset", 0x04, 9, [(1, "text", "unknown session: the coordinator was restarted")]),
    "heartbeat": ("heartbeat", 0x05, 300, [(1, "session", SESSION), (2, "sent_us", 86400000000), (3, "echo_us", 86399800123), (4, "busy", True), (5, "nodes", 123456789012)]),
    "heartbeat_minimal": ("heartbeat", 0x05, 2, [(1, "session", SESSION), (2, "sent_us", 1)]),
    "bye": ("bye", 0x06, 301, [(1, "session", SESSION), (2, "text", "the worker is being stopped")]),
    "configure": ("configure", 0x10, 2, [(1, "session", SESSION), (2, "config", 3), (3, "hash_mb", 1024), (4, "threads", 8), (5, "entering_king_rule", 3), (6, "max_moves_to_draw", 320), (7, "draw_value_black_cp", -20), (8, "draw_value_white_cp", 20), (9, "generate_all_moves", True)]),
    "configure_minimal": ("configure", 0x10, 2, [(1, "session", SESSION), (2, "config", 1), (5, "entering_king_rule", 0)]),
    "configured": ("configured", 0x11, 3, [(1, "session", SESSION), (2, "config", 3), (3, "ok", False), (4, "text", "1048576 MiB of hash could not be allocated; 1024 MiB stay in use")]),
    "configured_minimal": ("configured", 0x11, 3, [(1, "session", SESSION), (2, "config", 3), (3, "ok", True)]),
    "new_game": ("new_game", 0x12, 4, [(1, "session", SESSION)]),
    "job": ("job", 0x20, 5, [(1, "session", SESSION), (2, "epoch", EPOCH), (3, "job", 2), (4, "attempt", 1), (5, "kind", 0), (6, "root", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"), (7, "moves", "7g7f 3c3d 2g2f"), (8, "searchmoves", "8c8d 4c4d"), (9, "multipv", 2), (10, "depth_max", 24), (11, "nodes", 5000000), (12, "time_limit_ms", 10250), (13, "fresh", True)]),
    "job_minimal": ("job", 0x20, 5, [(1, "session", SESSION), (2, "epoch", EPOCH), (3, "job", 1), (4, "attempt", 1), (5, "kind", 1), (6, "root", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1")]),
    "stop": ("stop", 0x21, 6, [(1, "session", SESSION), (2, "epoch", EPOCH), (3, "job", 2)]),
    "partial": ("partial", 0x22, 7, [(1, "session", SESSION), (2, "epoch", EPOCH), (3, "job", 2), (4, "attempt", 1), (5, "depth", 12), (6, "seldepth", 21), (7, "multipv", 1), (8, "score_kind", 1), (9, "score", -87), (10, "bound", 2), (11, "nodes", 1234567), (12, "elapsed_ms", 640), (13, "hashfull", 31), (14, "pv", "8c8d 2f2e 4a3b")]),
    "partial_minimal": ("partial", 0x22, 8, [(1, "session", SESSION), (2, "epoch", EPOCH), (3, "job", 2), (4, "attempt", 1), (5, "depth", 1), (8, "score_kind", 2), (9, "score", 7), (11, "nodes", 30), (12, "elapsed_ms", 0), (14, "pv", "")]),
    "result": ("result", 0x23, 9, [(1, "session", SESSION), (2, "epoch", EPOCH), (3, "job", 2), (4, "attempt", 1), (5, "verdict", 0), (6, "best", "8c8d"), (7, "ponder", "2f2e"), (8, "score_kind", 1), (9, "score", -81), (10, "depth", 13), (11, "nodes", 2345678), (12, "elapsed_ms", 1201), (13, "stopped", True)]),
    "result_mate": ("result", 0x23, 9, [(1, "session", SESSION), (2, "epoch", EPOCH), (3, "job", 1), (4, "attempt", 1), (5, "verdict", 3), (6, "best", "G*5b"), (8, "score_kind", 2), (9, "score", 1), (10, "depth", 1), (11, "nodes", 12), (12, "elapsed_ms", 1), (14, "line", "G*5b")]),
    "result_refused": ("result", 0x23, 10, [(1, "session", SESSION), (2, "epoch", EPOCH), (3, "job", 3), (4, "attempt", 2), (5, "verdict", 6), (11, "nodes", 0), (12, "elapsed_ms", 0), (15, "text", "move 3 of the game, \"7g7f\", is not legal")]),
}

# the same of minor 1
FRAMES_MINOR_1 = {
    "job_hints": ("job", 0x20, 6, [(1, "session", SESSION), (2, "epoch", EPOCH), (3, "job", 4), (4, "attempt", 1), (5, "kind", 0), (6, "root", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"), (14, "variation", 3), (40, "hint_scope", EPOCH), (41, "hint_plies", 3), (42, "claim_plies", 2), (43, "hint_bytes_per_s", 1428571), (44, "hint_workers", 8)]),
    "job_patient": ("job", 0x20, 6, [(1, "session", SESSION), (2, "epoch", EPOCH), (3, "job", 31), (4, "attempt", 1), (5, "kind", 0), (6, "root", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"), (11, "nodes", 60000), (30, "patient", True)]),
    "job_part": ("job", 0x20, 5, [(1, "session", SESSION), (2, "epoch", EPOCH), (3, "job", 77), (4, "attempt", 1), (5, "kind", 0), (6, "root", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"), (7, "moves", "7g7f 3c3d 2g2f"), (8, "searchmoves", "8c8d 4c4d"), (10, "depth_max", 14), (14, "variation", 3), (15, "part", True), (16, "alpha", -31), (17, "beta", 32000), (18, "depth_min", 12), (19, "moves_before", 5)]),
    "result_part": ("result", 0x23, 10, [(1, "session", SESSION), (2, "epoch", EPOCH), (3, "job", 77), (4, "attempt", 1), (5, "verdict", 0), (6, "best", "8c8d"), (8, "score_kind", 1), (9, "score", -30), (10, "depth", 14), (11, "nodes", 23456), (12, "elapsed_ms", 31), (16, "bound", 1)]),
    "job_mate": ("job", 0x20, 5, [(1, "session", SESSION), (2, "epoch", EPOCH), (3, "job", 2), (4, "attempt", 1), (5, "kind", 1), (6, "root", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), (11, "nodes", 65536), (20, "plies_max", 11), (21, "any_length", True), (22, "seed", 7), (23, "certificate", True)]),
    "partial_effort": ("partial", 0x22, 12, [(1, "session", SESSION), (2, "epoch", EPOCH), (3, "job", 2), (4, "attempt", 1), (5, "depth", 14), (6, "seldepth", 25), (7, "multipv", 1), (8, "score_kind", 1), (9, "score", 120), (11, "nodes", 3456789), (12, "elapsed_ms", 1740), (13, "hashfull", 80), (14, "pv", "2g2f 8c8d"), (20, "effort", 815)]),
    "result_mate_proof": ("result", 0x23, 9, [(1, "session", SESSION), (2, "epoch", EPOCH), (3, "job", 1), (4, "attempt", 1), (5, "verdict", 3), (6, "best", "G*5b"), (8, "score_kind", 2), (9, "score", 1), (11, "nodes", 12), (12, "elapsed_ms", 1), (14, "line", "G*5b"), (20, "proof_nodes", 1), (21, "shortest", True), (25, "certificate", "1")]),
    "result_mate_unknown": ("result", 0x23, 11, [(1, "session", SESSION), (2, "epoch", EPOCH), (3, "job", 1), (4, "attempt", 1), (5, "verdict", 5), (11, "nodes", 65536), (12, "elapsed_ms", 130), (22, "refuted_plies", 5)]),
    "job_mate_leaf": ("job", 0x20, 6, [(1, "session", SESSION), (2, "epoch", EPOCH), (3, "job", 812), (4, "attempt", 1), (5, "kind", 1), (6, "root", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"), (11, "nodes", 16384), (21, "any_length", True), (23, "certificate", True)]),
    "partial_proof": ("partial", 0x22, 13, [(1, "session", SESSION), (2, "epoch", EPOCH), (3, "job", 2), (4, "attempt", 1), (5, "depth", 7), (6, "seldepth", 9), (7, "multipv", 1), (8, "score_kind", 2), (9, "score", 3), (11, "nodes", 4321), (12, "elapsed_ms", 9), (14, "pv", "4c2c 2a1a G*1b"), (21, "certificate", "057")]),
    "configure_tsumero": ("configure", 0x10, 2, [(1, "session", SESSION), (2, "config", 4), (5, "entering_king_rule", 3), (10, "use_tsumero", True)]),
    "hints": ("hints", 0x30, 12, [(1, "scope", EPOCH), (2, "entries", bytes.fromhex("1032547698badcfe" "d2041c00ffff1100" "f0debc9a78563412" "0000000000000e08"))]),
    "hints_join": ("hints_join", 0x31, 13, [(1, "session", SESSION), (2, "scope", EPOCH)]),
    "welcome_hints": ("welcome", 0x02, 1, [(1, "session", SESSION), (2, "heartbeat_ms", 200), (3, "dead_ms", 2000), (10, "hints_endpoint", "tcp://*:7655")]),
}


def frame(number, sequence, fields, major=1, minor=0, boot=BOOT):
    return [major, minor, number, boot, sequence, {key: value for key, _, value in fields}]


def as_json(name, sequence, fields, major=1, minor=0, boot=BOOT):
    answer = {"type": name, "major": major, "minor": minor, "boot": boot, "sequence": sequence}
    answer.update({field: value.hex() if isinstance(value, bytes) else value for _, field, value in fields})
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="\n") as out:
        out.write(text + "\n")


def write_seed(here, name, data):
    for fuzzer in ("fuzz_msg", "fuzz_prescan"):
        folder = f"{here}/../../fuzz/seeds/{fuzzer}"
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/{name}", "wb") as out:
            out.write(data)


def hexed(data):
    text = data.hex()
    return "\n".join(text[at:at + 64] for at in range(0, len(text), 64))


def u64(value):
    return b"\xcf" + struct.pack(">Q", value)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    packed = {}
    for minor, frames in enumerate([FRAMES, FRAMES_MINOR_1]):
        for file, (name, number, sequence, fields) in frames.items():
            packed[file] = msgpack.packb(frame(number, sequence, fields, minor=minor))
            write(f"{here}/{file}.hex", hexed(packed[file]))
            write_seed(here, file, packed[file])
            write(f"{here}/{file}.json", as_json(name, sequence, fields, minor=minor))

    stop = FRAMES["stop"]
    foreign = {
        # every integer as 64 bits, array and map with 32-bit counts
        "stop_widest_integers": (b"\xdd" + struct.pack(">I", 6) + u64(1) + u64(0) + u64(0x21) + u64(BOOT) + u64(6) + b"\xdf" + struct.pack(">I", 3) + u64(1) + u64(SESSION) + u64(2) + u64(EPOCH) + u64(3) + u64(2), as_json("stop", 6, stop[3])),
        # a positive number in a signed form
        "stop_signed_integers": (b"\x96\x01\x00\xd1\x00\x21" + u64(BOOT) + b"\x06\x83\xd0\x01" + u64(SESSION) + b"\x02\xd3" + struct.pack(">q", EPOCH) + b"\x03\xd2" + struct.pack(">i", 2), as_json("stop", 6, stop[3])),
        # text with a 32-bit length
        "reset_widest_text": (b"\x96\x01\x00\x04\x07\x01\x81\x01\xdb" + struct.pack(">I", 3) + b"why", as_json("reset", 1, [(1, "text", "why")], boot=7)),
        # a newer minor: unknown keys with every kind of value before, between and after ours
        "stop_newer_minor": (msgpack.packb([1, 7, 0x21, BOOT, 6, {0: None, 1: SESSION, 2: EPOCH, 3: 2, 40: "new", 41: [1, [2.5, b"x"]], 42: {"a": -1}, 43: msgpack.ExtType(5, b"1234"), 4294967295: False}]), as_json("stop", 6, stop[3], minor=7)),
        # optional fields spelled out as 0, false and ""
        "heartbeat_zeroes": (msgpack.packb([1, 0, 5, BOOT, 2, {1: SESSION, 2: 1, 3: 0, 4: False, 5: 0}]), as_json("heartbeat", 2, FRAMES["heartbeat_minimal"][3])),
        # a refusal from another major must be readable, or nobody would know why
        "refuse_other_major": (msgpack.packb([2, 4, 3, BOOT, 1, {1: 1, 2: "the coordinator speaks protocol 2.4, the worker 1.0; update the worker"}]), as_json("refuse", 1, [(1, "reason", 1), (2, "text", "the coordinator speaks protocol 2.4, the worker 1.0; update the worker")], major=2, minor=4)),
    }
    for file, (data, text) in foreign.items():
        write(f"{here}/foreign/{file}.hex", hexed(data))
        write_seed(here, file, data)
        write(f"{here}/foreign/{file}.json", text)

    def stop_with(fields, major=1, number=0x21):
        return msgpack.packb([major, 0, number, 7, 1, fields])

    def raw_stop(map_bytes):
        return b"\x96\x01\x00\x21\x07\x01" + map_bytes

    def reset_with(text_bytes):
        return b"\x96\x01\x00\x04\x07\x01\x81\x01" + text_bytes

    def partial_with(key, value):
        fields = {k: v for k, _, v in FRAMES["partial"][3]}
        fields[key] = value
        return msgpack.packb([1, 0, 0x22, 7, 1, fields])

    refused = [
        ("ST_TRUNCATED", b"", "nothing at all"),
        ("ST_TRUNCATED", b"\xdd\x0f\xff\xff\xff", "array that claims 268,435,455 objects in 5 bytes"),
        ("ST_TRUNCATED", b"\xdd\xff\xff\xff\xff", "array that claims 4,294,967,295 objects in 5 bytes"),
        ("ST_TRUNCATED", b"\xdf\xff\xff\xff\xff", "map that claims 4,294,967,295 pairs in 5 bytes"),
        ("ST_TRUNCATED", b"\xdd\x00\x40\x00\x00" * 6, "arrays of 4 Mi objects inside one another"),
        ("ST_TRUNCATED", b"\xdb\xff\xff\xff\xff" + b"a" * 20, "text that claims 4 GiB"),
        ("ST_TRUNCATED", b"\xc9\xff\xff\xff\xff\x00", "extension that claims 4 GiB"),
        ("ST_TRUNCATED", b"\x92\x01", "second object of the array is missing"),
        ("ST_TRUNCATED", b"\xcf\x00\x00", "64-bit number cut off"),
        ("ST_TRUNCATED", b"\xdd\x00", "count cut off"),
        ("ST_TOO_DEEP", b"\x91" * 7 + b"\x00", "seven arrays inside one another"),
        ("ST_TOO_DEEP", b"\x91" * 40 + b"\x00", "forty arrays inside one another"),
        ("ST_TOO_DEEP", b"\x81\x00" * 7 + b"\x00", "seven maps inside one another"),
        ("ST_TOO_DEEP", b"\x91" * 6 + b"\x90", "the seventh array is empty"),
        ("ST_TOO_BIG", b"\xdc\x01\x00" + b"\xc0" * 256, "257 objects"),
        ("ST_SYNTAX", b"\xc1", "the byte that MessagePack never uses"),
        ("ST_SYNTAX", b"\x96\x01\x00\xc1\x07\x01\x80", "the same inside a frame"),
        ("ST_TRAILING", packed["stop"] + b"\xc0", "an object after the frame"),
        ("ST_TRAILING", packed["stop"] + packed["stop"], "two frames in one"),
        ("ST_SYNTAX", b"\xc0", "nil instead of an array"),
        ("ST_SYNTAX", b"\x90", "empty array"),
        ("ST_SYNTAX", b"\x80", "map instead of an array"),
        ("ST_SYNTAX", msgpack.packb([1, 0, 0x21, 7, 1]), "no fields"),
        ("ST_SYNTAX", msgpack.packb([1, 0, 0x21, 7, 1, {1: 1, 2: 1, 3: 1}, 0]), "seven items"),
        ("ST_SYNTAX", msgpack.packb([1, 0, 0x21, 7, 1, [1, 1, 1]]), "fields as an array"),
        ("ST_SYNTAX", msgpack.packb(["1", 0, 0x21, 7, 1, {}]), "major is text"),
        ("ST_SYNTAX", msgpack.packb([1.0, 0, 0x21, 7, 1, {}]), "major is a float"),
        ("ST_SYNTAX", msgpack.packb([1, -1, 0x21, 7, 1, {1: 1, 2: 1, 3: 1}]), "negative minor"),
        ("ST_SYNTAX", msgpack.packb([1, 0, 0x21, None, 1, {1: 1, 2: 1, 3: 1}]), "boot is nil"),
        ("ST_SYNTAX", msgpack.packb([1, 0, 0x10021, 7, 1, {1: 1, 2: 1, 3: 1}]), "type of more than 16 bits"),
        ("ST_VERSION", stop_with({1: 1, 2: 1, 3: 1}, major=2), "another major"),
        ("ST_VERSION", stop_with({1: 1, 2: 1, 3: 1}, major=0), "an older major"),
        ("ST_VERSION", msgpack.packb([3]), "another major whose header has changed"),
        ("ST_UNKNOWN", stop_with({}, number=0x7f), "a type that does not exist"),
        ("ST_UNKNOWN", stop_with({}, number=0), "type 0"),
        ("ST_MISSING", stop_with({1: 1, 2: 1}), "last required field is missing"),
        ("ST_MISSING", stop_with({2: 1, 3: 1}), "first required field is missing"),
        ("ST_MISSING", stop_with({1: 1, 3: 1, 4: 1}), "middle required field is missing"),
        ("ST_MISSING", stop_with({}), "all required fields are missing"),
        ("ST_DUPLICATE", raw_stop(b"\x84\x01\x01\x02\x01\x02\x01\x03\x01"), "key 2 twice"),
        ("ST_DUPLICATE", raw_stop(b"\x85\x01\x01\x02\x01\x03\x01\x50\x01\x50\x01"), "unknown key twice"),
        ("ST_SYNTAX", raw_stop(b"\x83\x02\x01\x01\x01\x03\x01"), "keys out of order"),
        ("ST_SYNTAX", raw_stop(b"\x83\xa1a\x01\x02\x01\x03\x01"), "text as a key"),
        ("ST_SYNTAX", raw_stop(b"\x84\xff\x01\x01\x01\x02\x01\x03\x01"), "negative key"),
        ("ST_SYNTAX", raw_stop(b"\x84\x01\x01\x02\x01\x03\x01\xcf\x00\x00\x00\x01\x00\x00\x00\x00\x01"), "key of more than 32 bits"),
        ("ST_RANGE", stop_with({1: 1, 2: 1, 3: 4294967296}), "32-bit number with bit 32 set"),
        ("ST_RANGE", stop_with({1: 1, 2: 1, 3: -1}), "negative number where none may be"),
        ("ST_SYNTAX", stop_with({1: 1, 2: 1, 3: 1.0}), "float as a number"),
        ("ST_SYNTAX", stop_with({1: 1, 2: 1, 3: float("nan")}), "not a number"),
        ("ST_SYNTAX", stop_with({1: 1, 2: 1, 3: True}), "true as a number"),
        ("ST_SYNTAX", stop_with({1: 1, 2: 1, 3: "1"}), "text as a number"),
        ("ST_SYNTAX", stop_with({1: 1, 2: 1, 3: None}), "nil as a number"),
        ("ST_SYNTAX", msgpack.packb([1, 0, 5, 7, 1, {1: 1, 2: 1, 4: 1}]), "1 as a truth value"),
        ("ST_RANGE", partial_with(5, 128), "depth beyond its limit"),
        ("ST_RANGE", partial_with(8, 3), "enumeration beyond its last value"),
        ("ST_RANGE", partial_with(9, 32001), "score beyond its limit"),
        ("ST_RANGE", partial_with(9, -32001), "negative score beyond its limit"),
        ("ST_RANGE", partial_with(9, -2**63), "smallest 64-bit number as a score"),
        ("ST_RANGE", partial_with(9, 2**64 - 1), "largest 64-bit number as a score"),
        ("ST_TOO_BIG", partial_with(14, "a" * 1025), "principal variation one byte too long"),
        ("ST_SYNTAX", partial_with(14, b"7g7f"), "bytes where text is expected"),
        ("ST_SYNTAX", reset_with(b"\xa1\x0a"), "line feed in a text"),
        ("ST_SYNTAX", reset_with(b"\xa1\x00"), "0 byte in a text"),
        ("ST_SYNTAX", reset_with(b"\xa3\x1b[2"), "escape sequence in a text"),
        ("ST_SYNTAX", reset_with(b"\xa1\x7f"), "delete character in a text"),
        ("ST_SYNTAX", reset_with(b"\xa2\xc2\x9b"), "C1 control character in a text"),
        ("ST_SYNTAX", reset_with(b"\xa3\xe2\x80\xa8"), "line separator in a text"),
        ("ST_SYNTAX", reset_with(b"\xa1\xff"), "byte that UTF-8 never uses"),
        ("ST_SYNTAX", reset_with(b"\xa2\xc0\xaf"), "overlong slash"),
        ("ST_SYNTAX", reset_with(b"\xa3\xed\xa0\x80"), "surrogate"),
        ("ST_SYNTAX", reset_with(b"\xa4\xf4\x90\x80\x80"), "beyond U+10FFFF"),
        ("ST_SYNTAX", reset_with(b"\xa2\xe3\x81"), "character cut off"),
    ]
    lines = ["# expected status | frame in hex | reason                                             (written by make.py)"]
    for number, (status, data, reason) in enumerate(refused):
        write_seed(here, f"refused_{number:02}", data)
        lines.append(f"{status}|{data.hex()}|{reason}")
    write(f"{here}/refused.txt", "\n".join(lines))


main()
