"""`make docs`: every relative link and every file named in the Markdown files exists, and every example runs.

.venv/bin/python tests/tools/check_docs.py [--no-examples]
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
# `ge_core/ir/graph.h` in running text is a promise too; patterns with <, *, … or {} are not names.
PATH = re.compile(r"`((?:ge_core|host_kernels|npu_runtime|torch_backend|tests|docs)/[\w./-]+)`")
HEADING = re.compile(r"^#+\s+(.*?)\s*$", re.MULTILINE)


def anchor(heading: str) -> str:
    """The fragment that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower()).replace(" ", "-")


def markdown_files() -> list[Path]:
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def broken(path: Path) -> list[str]:
    """What in one Markdown file points nowhere."""
    text = path.read_text(encoding="utf-8")
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    problems = []
    for target in LINK.findall(prose):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, fragment = target.partition("#")
        destination = (path.parent / name).resolve() if name else path
        if not destination.exists():
            problems.append(f"link to {target}: no such file")
        elif fragment and fragment not in {anchor(h) for h in HEADING.findall(destination.read_text(encoding="utf-8"))}:
            problems.append(f"link to {target}: no such heading")
    # "This is all of `file`:" before a code block promises that the block is the file.
    for name, block in re.findall(r"all of `([^`]+)`:\n```\w*\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL):
        if (ROOT / name).exists() and (ROOT / name).read_text(encoding="utf-8") != block:
            problems.append(f"shows {name} as it no longer is: copy the file into the code block")
    problems += [f"names {p}: no such file" for p in PATH.findall(prose) if not (ROOT / p).exists()]
    return [f"{path.relative_to(ROOT)}: {problem}" for problem in problems]


def options_page() -> str:
    """docs/options.md, as the table of options in ge_core/passes/options.cc has it."""
    sys.path.insert(0, str(ROOT))
    from torch_ge import _C

    scopes = ((1, "global"), (2, "session"), (4, "graph"))
    lines = [
        "# Options",
        "",
        "Made by `make docs` from `ge_core/passes/options.cc`: change it there. Where an option is set: `options=` of `torch.compile` and",
        "`torch_ge.compile` (graph), `with torch_ge.session({...})` (session), `torch_ge.set_options({...})` (global); the narrower wins.",
        "",
        "| option | default | takes | scopes | on a command line | meaning |",
        "|---|---|---|---|---|---|",
    ]
    for row in _C.option_table():
        takes = " ".join(f"`{c}`" if c else "(empty)" for c in row["choices"]) or row["kind"]
        where = "all" if row["scopes"] == 7 else " ".join(name for bit, name in scopes if row["scopes"] & bit)
        shown = f"`--{row['show_name']}`" if row["show_name"] else ""
        default = f"`{row['default']}`" if row["default"] else ""
        lines.append(f"| `{row['key']}` | {default} | {takes} | {where} | {shown} | {row['doc']} |")
    return "\n".join([*lines, ""])


def main() -> int:
    page = ROOT / "docs" / "options.md"
    if not page.exists() or page.read_text(encoding="utf-8") != options_page():
        page.write_text(options_page(), encoding="utf-8")
        print("docs/options.md: written anew")
    problems = [p for path in markdown_files() for p in broken(path)]
    if "--no-examples" not in sys.argv:
        for example in sorted((ROOT / "docs" / "examples").glob("*.py")):
            print(f"running {example.relative_to(ROOT)}", flush=True)
            result = subprocess.run([sys.executable, str(example)], cwd=ROOT, env={**os.environ, "GE_EXAMPLE_QUICK": "1"}, check=False)
            if result.returncode != 0:
                problems.append(f"{example.relative_to(ROOT)}: exit code {result.returncode}")
    print("\n".join(problems) or "docs: links, names and examples are good")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
