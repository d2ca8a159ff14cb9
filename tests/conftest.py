"""Settings that all Python tests share.

GE_TEST_BACKEND names the backend under test (default: ge). GE_TEST_OPTIONS="ge.debug.check=node ge.oo.level=O1" sets options
for every compile, under those that a test gives itself.
"""

import os
import sys
import warnings

import pytest
import torch
import torch._dynamo

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

pytest_plugins = ["torch_ge.pytest_plugin"]


@pytest.fixture(scope="session")
def backend() -> str:
    return os.environ.get("GE_TEST_BACKEND", "ge")


@pytest.fixture(autouse=True)
def clean_state():
    """Each test starts with an empty Dynamo cache, the default modes, options and a fixed seed."""
    given = os.environ.get("GE_TEST_OPTIONS", "").split()
    if given:
        import torch_ge

        torch_ge.set_options(dict(item.split("=", 1) for item in given))
    warnings.simplefilter("ignore")
    torch._dynamo.reset()
    torch.manual_seed(0)
    yield
    torch.set_grad_enabled(True)


def pytest_configure(config):
    if config.option.showcapture == "all":
        config.option.showcapture = "stdout"  # torch logs hundreds of empty trace records a test
    config.addinivalue_line("markers", "ge_only: the test asks for reports or options that only our backend has")
    torch.set_num_threads(int(os.environ.get("GE_TEST_THREADS", "1")))


def pytest_collection_modifyitems(config, items):
    if os.environ.get("GE_TEST_BACKEND", "ge") != "ge":
        skip = pytest.mark.skip(reason="needs backend ge")
        for item in items:
            if item.get_closest_marker("ge_only"):
                item.add_marker(skip)
