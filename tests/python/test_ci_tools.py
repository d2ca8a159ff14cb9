"""The tools behind `make test` and the sharded campaigns: a failure must never look like a success."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "ci"))
sys.path.insert(0, str(ROOT / "tests" / "tools"))
import check_docs  # noqa: E402
import run_tests  # noqa: E402


@pytest.mark.parametrize(
    ("code", "output", "counts"),
    [
        (0, "... [100%]\n12 passed, 3 skipped in 1.23s\n", (12, 0, 3)),
        (1, "= 2 failed, 10 passed, 1 error in 70.12s (0:01:10) =\n", (10, 3, 0)),
        (0, "===== 5 passed, 1 xfailed in 0.10s =====\n", (6, 0, 0)),
        (-11, "12 passed in 1.00s\n", (12, 1, 0)),  # a crash at exit, after the summary
        (5, "no tests ran in 0.01s\n", (0, 1, 0)),
        (0, "[  PASSED  ] 42 tests.\n", (42, 0, 0)),
        (0, "[  PASSED  ] 1 test.\n[  SKIPPED ] 2 tests, listed below:\n", (1, 0, 2)),
        (1, "[  PASSED  ] 41 tests.\n[  FAILED  ] 2 tests, listed below:\n[  FAILED  ] A.B\n", (41, 2, 0)),
        (0, "built\n", (1, 0, 0)),
        (1, "", (0, 1, 0)),
    ],
)
def test_counts(code: int, output: str, counts: tuple[int, int, int]) -> None:
    stage = run_tests.Stage("s", 1, list)
    run_tests.count(stage, code, output)
    assert (stage.passed, stage.failed, stage.skipped) == counts


def make_stage(name: str, *commands: list[str], **fields: object) -> run_tests.Stage:
    return run_tests.Stage(name, 1, lambda: [run_tests.Command(c, timeout=20) for c in commands], **fields)  # type: ignore[arg-type]


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(run_tests, "LOGS", tmp_path)
    monkeypatch.setattr(run_tests, "ROOT", tmp_path)
    return tmp_path


def test_stage_runs_all_commands_and_keeps_the_log(logs: Path) -> None:
    stage = make_stage("s", ["echo", "one"], ["echo", "two"], ["false"], parallel=2)
    run_tests.run_stage(stage, {})
    assert (stage.passed, stage.failed) == (2, 1)
    assert stage.verdict.startswith("FAILED")
    text = (logs / "s.log").read_text()
    assert "one" in text and "two" in text and "exit code 1" in text


def test_stage_is_not_run_without_what_it_needs(logs: Path) -> None:
    broken = make_stage("build", ["false"])
    run_tests.run_stage(broken, {})
    dependent = make_stage("tests", ["touch", str(logs / "ran")], needs=("build",))
    run_tests.run_stage(dependent, {"build": broken})
    assert dependent.failed == 1
    assert not (logs / "ran").exists()


def test_hanging_command_is_ended(logs: Path) -> None:
    stage = run_tests.Stage("s", 1, lambda: [run_tests.Command(["sleep", "60"], timeout=0.3)])
    run_tests.run_stage(stage, {})
    assert stage.failed == 1
    assert stage.seconds < 30
    assert "TIMEOUT" in (logs / "s.log").read_text()


def test_missing_tests_are_a_failure(logs: Path) -> None:
    stage = run_tests.Stage("s", 1, run_tests.pytest_folder("tests/absent"))
    run_tests.run_stage(stage, {})
    assert stage.failed == 1


def shards(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "tests/tools/shards.py", "self-test", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_shards_go_on_where_they_stopped(tmp_path: Path) -> None:
    record = ROOT / "build" / "shards" / "self-test.json"
    script = f"echo $GE_SHARD_INDEX >> {tmp_path}/ran; test $GE_SHARD_INDEX != 1 -o -e {tmp_path}/fixed"
    try:
        first = shards("--fresh", "--count", "3", "--", "sh", "-c", script)
        assert first.returncode == 1
        assert first.stdout.splitlines()[-1] == "2 passed, 1 failed"
        (tmp_path / "fixed").touch()
        second = shards("--count", "3", "--", "sh", "-c", script)
        assert second.returncode == 0
        assert second.stdout.splitlines()[-1] == "3 passed, 0 failed"
        assert (tmp_path / "ran").read_text().split() == ["0", "1", "2", "1"]
        data = json.loads(record.read_text())
        data["key"] = "other sources"
        record.write_text(json.dumps(data))
        third = shards("--count", "3", "--", "sh", "-c", script)
        assert "starting over" in third.stdout
        assert len((tmp_path / "ran").read_text().split()) == 7
    finally:
        record.unlink(missing_ok=True)


def test_shards_refuse_an_empty_campaign() -> None:
    result = shards("--count", "3")
    assert result.returncode == 2
    assert "nothing to run" in result.stderr


def test_documentation_links() -> None:
    problems = [p for path in check_docs.markdown_files() for p in check_docs.broken(path)]
    assert not problems, "\n".join(problems)


def test_documentation_check_can_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_docs, "ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text("# A `b` title\n[good](#a-b-title) [bad](#none) [gone](gone.md) `ge_core/gone.h`\n```\n[code](no.md)\n```\n")
    assert [p.split(": ", 1)[1] for p in check_docs.broken(page)] == [
        "link to #none: no such heading",
        "link to gone.md: no such file",
        "names ge_core/gone.h: no such file",
    ]
