"""Runs that are kept are found again by CPU and settings, and compared within their noise."""

import pytest
from harness import history

MACHINE = {"cpu": "A CPU (R) @ 2 GHz", "flags": ["avx2"], "cores": 2}


def run_of(started, ge, machine=MACHINE, seconds=2.0, again=100.0):
    rows = []
    for number in range(2):
        for backend, us in (("eager", 100.0), ("ge", ge), ("eager_again", again)):
            rows.append({"backend": backend, "round": number, "us": us, "error": 0.0})
    return {"started": started, "machine": machine, "settings": {"seconds": seconds}, "models": {"mlp": {"rows": rows}}}


def test_last_run_of_the_same_cpu_and_settings(tmp_path):
    for started in (1000, 2000):
        history.save(run_of(started, 50.0), "speed", tmp_path)
    history.save(run_of(3000, 50.0, seconds=0.3), "speed", tmp_path)
    history.save(run_of(4000, 50.0, machine={**MACHINE, "flags": []}), "speed", tmp_path)
    history.save(run_of(5000, 50.0), "kernels", tmp_path)
    (history.folder(MACHINE, tmp_path) / "speed-20990101-000000.json").write_text("{ not JSON")
    new = run_of(6000, 50.0)
    assert history.last(new, "speed", tmp_path)["started"] == 2000
    assert history.last(run_of(1000, 50.0), "speed", tmp_path) is None


def test_folder_is_of_one_cpu(tmp_path):
    folders = {history.folder({**MACHINE, **other}, tmp_path) for other in ({}, {"cores": 4}, {"flags": []}, {"cpu": "B"})}
    assert len(folders) == 4


def test_change_beyond_the_noise():
    [change] = history.compare(run_of(2, 40.0), run_of(1, 50.0))
    assert change == ("mlp: ge against eager", 2.0, 2.5, 0.0)
    assert change.certain


def test_change_within_the_noise():
    [change] = history.compare(run_of(2, 40.0, again=120.0), run_of(1, 50.0, again=110.0))
    assert change.noise == pytest.approx(0.3)
    assert not change.certain


def test_models_that_only_one_run_has_are_not_compared():
    old = run_of(1, 50.0)
    old["models"]["unet"] = old["models"].pop("mlp")
    assert history.compare(run_of(2, 40.0), old) == []
