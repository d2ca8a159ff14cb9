"""The package's front: lazy names, the torch version check, build information, logging, and the demo's models."""

import subprocess
import sys

import pytest
import torch

import torch_ge
from torch_ge import demo


def test_public_names():
    for name in ("CompilerConfig", "testing", "explain", "Report", "GraphReport", "build_info", "list_passes"):
        assert getattr(torch_ge, name) is not None
        assert name in dir(torch_ge)
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = torch_ge.no_such_name


@pytest.mark.ge_only
def test_native_names():
    assert callable(torch_ge.backend) and callable(torch_ge.compile)
    assert torch_ge.list_passes()
    assert torch_ge.build_info()["engines"]


@pytest.mark.ge_only
def test_refresh_makes_constants_anew():
    model = torch.nn.Linear(256, 256).eval()
    compiled = torch.compile(model, backend="ge")
    x = torch.randn(8, 256)
    with torch.no_grad():
        compiled(x)
        model.weight.data.numpy()[:] = 0  # a write that no version counter sees
        torch_ge.refresh(compiled)
        assert torch.equal(compiled(x), model(x))


def test_build_info():
    info = torch_ge.build_info()
    assert info["torch"] == torch.__version__ and info["version"] == torch_ge.__version__ and info["isa"]


@pytest.mark.parametrize("version", ["2.12.1", "2.14.0+cpu", "3.13.0", "2.1.3"])
def test_other_torch_versions_are_refused(version):
    with pytest.raises(ImportError, match=r"torch==2\.13\.0"):
        torch_ge._check_torch(version)


@pytest.mark.parametrize("version", ["2.13.0", "2.13.0+cpu", "2.13.1"])
def test_our_torch_versions_are_accepted(version):
    torch_ge._check_torch(version)


def test_import_is_quiet_and_loads_nothing_native():
    code = "import sys, torch_ge; print(*[m for m in sys.modules if m in ('torch_ge._C', 'torch_ge.dynamo', 'torch._dynamo', 'pytest')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "" and done.stderr == ""


def test_demo_models_run():
    with torch.no_grad():
        for model, arguments in demo.models(quick=True).values():
            assert model(*arguments).isfinite().all()


@pytest.mark.ge_only
def test_demo_prints_its_table(capsys):
    assert demo.main(["--quick", "--seconds", "0.05"]) == 0
    out = capsys.readouterr().out
    for name in demo.models(quick=True):
        assert name in out


@pytest.mark.ge_only
def test_compiled_model_without_dynamo():
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2)).eval()
    x = torch.randn(3, 4)
    with torch.no_grad():
        compiled = torch_ge.compile(model, x)
        assert torch.allclose(compiled(x), model(x), rtol=1e-4, atol=1e-5)
        model[0].weight.mul_(2)
        assert torch.allclose(compiled(x), model(x), rtol=1e-4, atol=1e-5)
