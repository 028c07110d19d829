#!/usr/bin/env python3
"""Real libraries as projects: every function with arbitrary arguments.

    docs/experiments/projects.py FOLDER [--craig PATH] [--timeout 5s] [--jobs N] [--only NAME] [--out FOLDER]

FOLDER has checkouts of the libraries, each under its own name. Writes a compilation database for each into the folder of --out,
runs `craig check --project ... --all-functions` on it, and prints a table in Markdown.
"""

import argparse
import json
import pathlib
import subprocess
import time

# What is compiled, and how.
LIBRARIES = {
    "inih": (["ini.c"], []),
    "jsmn": (["jsmn.h"], []),
    "cJSON": (["cJSON.c", "cJSON_Utils.c"], []),
    "tiny-regex-c": (["re.c"], []),
    "sds": (["sds.c"], ["-std=c99"]),
    "utf8proc": (["utf8proc.c"], ["-DUTF8PROC_STATIC"]),
    "tiny-AES-c": (["aes.c"], []),
    "tinyexpr": (["tinyexpr.c"], ["-std=c99"]),
    "picohttpparser": (["picohttpparser.c"], []),
    "heatshrink": (["heatshrink_encoder.c", "heatshrink_decoder.c"], ["-std=c99"]),
    "list": (["src/list.c", "src/list_iterator.c", "src/list_node.c"], ["-std=c99"]),
    "coreJSON": (["source/core_json.c"], ["-Isource/include"]),
    "minmea": (["minmea.c"], []),
    "parson": (["parson.c"], []),
    "http-parser": (["http_parser.c"], []),
    "printf": (["printf.c"], ["-std=c99"]),
    "hashmap.c": (["hashmap.c"], []),
    "stb": (["stb_sprintf.h"], ["-DSTB_SPRINTF_IMPLEMENTATION"]),
    "lz4": (["lib/lz4.c"], ["-Ilib"]),
    "zlib": (
        ["adler32.c", "compress.c", "crc32.c", "deflate.c", "inffast.c", "inflate.c", "inftrees.c", "trees.c", "uncompr.c", "zutil.c"],
        [],
    ),
    "log.c": (["src/log.c"], ["-DLOG_USE_COLOR"]),
    "microtar": (["src/microtar.c"], []),
    "iniparser": (["src/iniparser.c", "src/dictionary.c"], ["-Isrc"]),
    "utf8.h": (["utf8.h"], []),
    "tlsf": (["tlsf.c"], []),
    "linenoise": (["linenoise.c"], []),
    "vec": (["src/vec.c"], []),
    "map": (["src/map.c"], []),
    "murmurhash.c": (["murmurhash.c"], []),
    "buffer": (["buffer.c"], []),
    "tiny-bignum-c": (["bn.c"], []),
    "smallchat": (["chatlib.c", "smallchat-server.c"], []),
    "rax": (["rax.c"], []),
    "fe": (["src/fe.c"], []),
    "BLAKE3": (
        ["c/blake3.c", "c/blake3_portable.c", "c/blake3_dispatch.c"],
        ["-DBLAKE3_NO_SSE2", "-DBLAKE3_NO_SSE41", "-DBLAKE3_NO_AVX2", "-DBLAKE3_NO_AVX512"],
    ),
    "md4c": (["src/md4c.c", "src/entity.c", "src/md4c-html.c"], []),
    "crypto-algorithms": (
        ["aes.c", "arcfour.c", "base64.c", "blowfish.c", "des.c", "md2.c", "md5.c", "rot-13.c", "sha1.c", "sha256.c"],
        [],
    ),
    "tpl": (["src/tpl.c"], []),
    "nanopb": (["pb_common.c", "pb_decode.c", "pb_encode.c"], []),
    "miniz": (["miniz_tdef.c", "miniz_tinfl.c", "miniz.c"], ["-I.", "-DMINIZ_NO_ZLIB_COMPATIBLE_NAMES"]),
    "littlefs": (["lfs.c", "lfs_util.c"], []),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--craig", default="craig")
    parser.add_argument("--timeout", default="5s")
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--only")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("projects"))
    arguments, options = parser.parse_known_args()
    print("| library | functions | proved | refuted | open | refused | broken | checks proved | refuted | open | seconds |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|", flush=True)
    for name, (files, flags) in LIBRARIES.items():
        root = (arguments.folder / name).resolve()
        if not root.is_dir() or arguments.only not in (None, name):
            continue
        out = arguments.out.resolve() / name
        out.mkdir(parents=True, exist_ok=True)
        entries = []
        for file in files:
            if file.endswith(".h"):
                # A library that is all in its header.
                unit = out / (pathlib.Path(file).stem + ".c")
                unit.write_text(f'#include "{root / file}"\n')
                file = str(unit)
            entries.append({"directory": str(root), "file": file, "arguments": ["cc", *flags, "-c", file]})
        database = out / "compile_commands.json"
        database.write_text(json.dumps(entries, indent=1))
        start = time.time()
        run = subprocess.run([arguments.craig, "check", "--project", database, "--all-functions", "--json", "--timeout",
                              arguments.timeout, "--jobs", arguments.jobs, *options], capture_output=True, text=True)
        seconds = time.time() - start
        try:
            table = json.loads(run.stdout)
        except ValueError:
            print(f"| {name} | exit {run.returncode}: {run.stderr.strip()[:200]} |", flush=True)
            continue
        (out / "table.json").write_text(run.stdout)
        rows = table["functions"]
        counts = [sum(row["answer"] == word for row in rows) for word in ("proved", "refuted", "open", "refused", "broken")]
        checks = [sum(row[word] for row in rows) for word in ("proved", "refuted", "open")]
        cells = [name, len(rows), *counts, *checks, round(seconds)]
        print("|", " | ".join(map(str, cells)), "|", flush=True)


main()
