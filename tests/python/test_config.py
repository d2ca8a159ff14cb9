"""CompilerConfig: every option parses what it documents and refuses the rest, naming the nearest valid word."""

import copy
import pickle
import sys
import threading
from pathlib import Path

import pytest
import torch

import torch_ge
from torch_ge.config import MODES, OPTIONS, CompilerConfig, describe


def test_defaults_are_valid_values_of_their_own_option():
    for option in OPTIONS.values():
        assert option.parse(option.default) == option.default
        assert option.doc.endswith(".")


def test_defaults():
    config = CompilerConfig.from_torch(None, None)
    assert config == CompilerConfig() == CompilerConfig.from_torch({}, "default")
    assert config["ge.oo.level"] == config.oo_level == "O3"
    assert config.oo_constant_folding is True
    assert config["ge.weights"] == "auto"
    assert config.changed() == {}


@pytest.mark.parametrize("value, expected", [(True, True), ("true", True), (False, False), ("false", False)])
def test_booleans_as_text_or_bool(value, expected):
    config = CompilerConfig.from_torch({"ge.oo.constantFolding": value})
    assert config.oo_constant_folding is expected
    assert config.as_text()["ge.oo.constantFolding"] == str(expected).lower()


@pytest.mark.parametrize(
    "options, parts",
    [
        ({"ge.oo.levl": "O1"}, ["unknown option 'ge.oo.levl'", "did you mean 'ge.oo.level'"]),
        ({"ge.oo.constant_folding": True}, ["unknown option", "'ge.oo.constantFolding'"]),
        ({"GE.WEIGHTS": "auto"}, ["unknown option", "'ge.weights'"]),
        ({"": 1}, ["unknown option ''"]),
        ({7: 1}, ["unknown option 7"]),
        ({"ge.oo.level": "O0"}, ["ge.oo.level", "'O0'", "'O1', 'O2', 'O3'"]),
        ({"ge.oo.level": 3}, ["ge.oo.level", "3 is not a valid value"]),
        ({"ge.oo.level": "o3"}, ["did you mean 'O3'"]),
        ({"ge.oo.constantFolding": "True"}, ["ge.oo.constantFolding", "did you mean 'true'"]),
        ({"ge.oo.constantFolding": 1}, ["ge.oo.constantFolding", "1 is not a valid value"]),
        ({"ge.weights": "input"}, ["did you mean 'inputs'"]),
        ({"ge.disableOptimizations": 5}, ["ge.disableOptimizations", "names separated by ','"]),
        ({"ge.disableOptimizations": "A,,B"}, ["one of them is empty"]),
        ({"ge.optimizationSwitch": "A=on"}, ["'A=on' is neither"]),
        ({"ge.optimizationSwitch": "A:on;A:off"}, ["both on and off"]),
        ({"ge.optimizationSwitch": {"A": None}}, ["ge.optimizationSwitch"]),
        ({"ge.exec.device": None}, ["ge.exec.device", "None"]),
        ({"ge.exec.device": "npu"}, ["ge.exec.device", "'npu'"]),
    ],
)
def test_bad_options_name_key_value_and_nearest(options, parts):
    with pytest.raises(ValueError) as error:
        CompilerConfig.from_torch(options)
    for part in parts:
        assert part in str(error.value)


@pytest.mark.parametrize("options", ["ge.oo.level=O1", 3, [("ge.oo.level", "O1")]])
def test_options_of_another_type(options):
    with pytest.raises(ValueError, match="expected a dict"):
        CompilerConfig.from_torch(options)


def test_modes():
    for mode in MODES:
        assert CompilerConfig.from_torch(None, mode).mode == mode
    with pytest.raises(ValueError, match="did you mean 'max-autotune'"):
        CompilerConfig.from_torch(None, "max-autotun")
    with pytest.raises(ValueError, match="reduce-overhead"):
        CompilerConfig.from_torch(None, "reduce-overhead")
    with pytest.raises(ValueError, match="mode"):
        CompilerConfig.from_torch(None, 3)


def test_lists_are_normalised():
    one = CompilerConfig.from_torch({"ge.exec.engines": [" DNN_VM_HOST_CPU"], "ge.optimizationSwitch": {"A": True, "B": "off"}})
    two = CompilerConfig.from_torch({"ge.exec.engines": "DNN_VM_HOST_CPU", "ge.optimizationSwitch": " A:on; B:off;"})
    assert one == two and hash(one) == hash(two)
    assert one["ge.optimizationSwitch"] == "A:on;B:off"


def test_unknown_reads_are_refused():
    config = CompilerConfig()
    with pytest.raises(KeyError, match="ge.oo.level"):
        config["ge.oo.levels"]
    with pytest.raises(AttributeError, match="oo_level"):
        _ = config.oo_levels


def test_immutable_copyable_and_described():
    config = CompilerConfig.from_torch({"ge.weights": "checked"}, "max-autotune")
    with pytest.raises(AttributeError):
        config.mode = "default"
    assert pickle.loads(pickle.dumps(config)) == copy.deepcopy(config) == config
    assert set(config) == set(config.as_text()) == set(OPTIONS)
    for key in OPTIONS:
        assert key in describe()


@pytest.fixture
def clean_scopes():
    torch_ge.set_options(None)
    yield
    torch_ge.set_options(None)


def test_the_narrower_scope_wins(clean_scopes):
    torch_ge.set_options({"ge.oo.level": "O1", "ge.weights": "inputs"})
    assert CompilerConfig.from_torch().oo_level == "O1"
    with torch_ge.session({"ge.oo.level": "O2"}):
        config = CompilerConfig.from_torch({"ge.fold.maxBytes": 5})
        assert (config.oo_level, config.weights, config.fold_max_bytes) == ("O2", "inputs", 5)
        with torch_ge.session({"ge.weights": "checked"}):
            assert CompilerConfig.from_torch({"ge.oo.level": "O3"}).changed() == {"ge.weights": "checked"}
        assert CompilerConfig.from_torch().weights == "inputs"
    assert CompilerConfig.from_torch().oo_level == "O1"
    torch_ge.set_options({})
    assert CompilerConfig.from_torch().changed() == {}


def test_wider_scopes_check_their_options(clean_scopes):
    with pytest.raises(ValueError, match=r"did you mean 'ge\.oo\.level'"):
        torch_ge.set_options({"ge.oo.levle": "O1"})
    with pytest.raises(ValueError, match=r"'O7' is not a valid value"), torch_ge.session({"ge.oo.level": "O7"}):
        pass
    assert CompilerConfig.from_torch().changed() == {}


def test_a_session_is_seen_by_its_own_thread_only(clean_scopes):
    seen = []
    with torch_ge.session({"ge.oo.level": "O1"}):
        thread = threading.Thread(target=lambda: seen.append(CompilerConfig.from_torch().oo_level))
        thread.start()
        thread.join()
    assert seen == ["O3"]


@pytest.mark.ge_only
def test_scopes_reach_the_passes(clean_scopes):
    def f(x):
        return torch.relu(x) + torch.relu(x)

    x = torch.randn(3)
    off = [p for _, p, why in torch_ge.explain(f, x).graphs[0].switched_off if "ge.oo.level" in why]
    assert off == []
    torch_ge.set_options({"ge.oo.level": "O1"})
    off = {p: why for _, p, why in torch_ge.explain(f, x).graphs[0].switched_off}
    assert off["common-subexpression-elimination"] == "needs O2, ge.oo.level = O1"
    off = [p for _, p, why in torch_ge.explain(f, x, options={"ge.oo.level": "O3"}).graphs[0].switched_off if "ge.oo.level" in why]
    assert off == []


@pytest.mark.ge_only
def test_an_unknown_pass_is_named_with_the_nearest():
    with pytest.raises(Exception, match="did you mean 'ConstantFoldingPass'"):
        torch.compile(lambda x: x + 1, backend="ge", options={"ge.disableOptimizations": "ConstantFoldinPass"})(torch.ones(2))


def test_the_page_of_options_is_up_to_date():
    root = Path(__file__).resolve().parents[2]
    sys.path.insert(0, str(root / "tests" / "tools"))
    import check_docs

    assert (root / "docs" / "options.md").read_text(encoding="utf-8") == check_docs.options_page(), "run `make docs`"
