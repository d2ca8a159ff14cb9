"""pytest plug-in (`-p tests.tools.pytest_shard`): keeps the tests of shard GE_SHARD_INDEX of GE_SHARD_COUNT.

A test's shard follows from its name alone, so that shards stay the same while tests are added.
"""

from __future__ import annotations

import os
import zlib

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    index, shards = int(os.environ.get("GE_SHARD_INDEX", "0")), int(os.environ.get("GE_SHARD_COUNT", "1"))
    kept = [i for i in items if zlib.crc32(i.nodeid.encode()) % shards == index]
    if len(kept) != len(items):
        config.hook.pytest_deselected(items=[i for i in items if i not in set(kept)])
        items[:] = kept


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    # An empty shard is no failure; a run without any test at all is, and then there is one shard only.
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and int(os.environ.get("GE_SHARD_COUNT", "1")) > 1:
        session.exitstatus = pytest.ExitCode.OK
