"""The options of `torch.compile(backend="ge", options={...})`: one table, and a checked set of values.

Every option is declared once, in `OPTIONS`. Reading a value goes through `CompilerConfig`, so a key that is not in the
table can neither be set nor read. Values travel to C++ as text (`CompilerConfig.as_text`), the form in which GE's own
option maps carry them.
"""

from __future__ import annotations

import dataclasses
import difflib
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

T = TypeVar("T")

MODES = ("default", "max-autotune")


@dataclasses.dataclass(frozen=True)
class Option(Generic[T]):
    """One option: its key, its default, how a user's value becomes a `T` (or raises ValueError), and a line of help."""

    key: str
    default: T
    parse: Callable[[str, Any], T]
    accepts: str
    doc: str

    @property
    def field(self) -> str:
        """The attribute name on CompilerConfig: `ge.oo.constantFolding` -> `oo_constant_folding`."""
        tail = self.key.removeprefix("ge.").replace(".", "_")
        return "".join("_" + c.lower() if c.isupper() else c for c in tail)


def _reject(key: str, value: Any, accepts: str, hint: str = "") -> ValueError:
    return ValueError(f"option {key}: {value!r} is not a valid value; accepted: {accepts}{hint}")


def _nearest(word: str, words: list[str]) -> str:
    """` (did you mean 'x'?)`, or nothing when no word is close."""
    folded = {w.lower(): w for w in words}
    close = difflib.get_close_matches(word.lower(), list(folded), n=1, cutoff=0.5)
    return f" (did you mean {folded[close[0]]!r}?)" if close else ""


def _boolean(key: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return bool(value == "true")
    hint = _nearest(value, ["true", "false"]) if isinstance(value, str) else ""
    raise _reject(key, value, "True, False, 'true', 'false'", hint)


def _choice(*choices: str) -> Callable[[str, Any], str]:
    def parse(key: str, value: Any) -> str:
        if isinstance(value, str) and value in choices:
            return value
        hint = _nearest(value, list(choices)) if isinstance(value, str) else ""
        raise _reject(key, value, ", ".join(map(repr, choices)), hint)

    return parse


def _names(separator: str) -> Callable[[str, Any], str]:
    """A list of names, as text or as a list of strings; kept as text with single separators and no blanks."""

    def parse(key: str, value: Any) -> str:
        parts = value.split(separator) if isinstance(value, str) else value
        accepts = f"names separated by {separator!r}, or a list of names"
        if not isinstance(parts, (list, tuple)) or not all(isinstance(p, str) for p in parts):
            raise _reject(key, value, accepts)
        cleaned = [p.strip() for p in parts]
        if cleaned == [""]:
            return ""
        if any(not p or separator in p for p in cleaned):
            raise _reject(key, value, accepts + " (one of them is empty)")
        return separator.join(cleaned)

    return parse


def _switches(key: str, value: Any) -> str:
    """`PassA:on;PassB:off`, or a dict of name -> bool or "on"/"off"."""
    accepts = "'PassName:on;OtherPass:off', or a dict of pass name to 'on', 'off' or bool"
    if isinstance(value, Mapping):
        pairs = []
        for name, state in value.items():
            text = ("on" if state else "off") if isinstance(state, bool) else state
            pairs.append(f"{name}:{text}")
        value = ";".join(pairs)
    if not isinstance(value, str):
        raise _reject(key, value, accepts)
    seen: dict[str, str] = {}
    for item in filter(None, (part.strip() for part in value.split(";"))):
        name, colon, state = (s.strip() for s in item.partition(":"))
        if not name or not colon or state not in ("on", "off"):
            raise _reject(key, value, accepts, f" ({item!r} is neither 'name:on' nor 'name:off')")
        if seen.setdefault(name, state) != state:
            raise _reject(key, value, accepts, f" ({name!r} is switched both on and off)")
    return ";".join(f"{name}:{state}" for name, state in seen.items())


def _table() -> Mapping[str, Option[Any]]:
    rows: list[Option[Any]] = [
        Option(
            "ge.oo.level",
            "O3",
            _choice("O1", "O2", "O3"),
            "O1, O2, O3",
            "O1 folds constants and cleans up; O2 does all that keeps every bit; O3 also what keeps the tolerance class.",
        ),
        Option("ge.oo.constantFolding", True, _boolean, "true, false", "Compute at compile time what depends on constants only."),
        Option("ge.oo.deadCodeElimination", True, _boolean, "true, false", "Remove branches that can never be taken."),
        Option(
            "ge.disableOptimizations",
            "",
            _names(","),
            "pass names, comma-separated",
            "Passes that never run, whatever the other options say.",
        ),
        Option("ge.optimizationSwitch", "", _switches, "Pass:on;Pass:off", "Switch single passes; wins over ge.oo.*."),
        Option(
            "ge.exec.engines",
            "",
            _names(","),
            "engine names, comma-separated, in order",
            "Engines that may take nodes, the first that supports a node wins. Empty: all, in the order of the docs.",
        ),
        Option("ge.exec.device", "host", _choice("host"), "host", "The device that runs the model."),
        Option(
            "ge.weights",
            "auto",
            _choice("auto", "checked", "inputs"),
            "auto, checked, inputs",
            "auto: constants, and writes to them are noticed; checked: all bytes are compared at each call; inputs: never constants.",
        ),
        Option(
            "ge.import.strict",
            False,
            _boolean,
            "true, false",
            "Refuse a node whose inferred type differs from PyTorch's metadata, instead of running it as a fallback node.",
        ),
        Option(
            "ge.debug.verify",
            False,
            _boolean,
            "true, false",
            "Verify the graph, and that the pass told truly whether it changed it, after each pass.",
        ),
    ]
    return types.MappingProxyType({row.key: row for row in rows})


OPTIONS: Mapping[str, Option[Any]] = _table()


@dataclasses.dataclass(frozen=True)
class CompilerConfig:
    """A checked, immutable set of option values; equal sets compare and hash equal, so they can key a cache.

    Build it with `from_torch`; read with `config["ge.oo.level"]` or `config.oo_level`.
    """

    _values: tuple[tuple[str, Any], ...] = tuple((key, option.default) for key, option in OPTIONS.items())
    mode: str = "default"

    @classmethod
    def from_torch(cls, options: Mapping[str, Any] | None = None, mode: str | None = None) -> CompilerConfig:
        """Checks what torch.compile hands to a backend. Raises ValueError that names the key and the nearest valid one."""
        mode = "default" if mode is None else mode
        if not isinstance(mode, str) or mode not in MODES:
            hint = _nearest(mode, list(MODES)) if isinstance(mode, str) else ""
            raise ValueError(f"mode: {mode!r} is not supported by backend 'ge'; accepted: {', '.join(map(repr, MODES))}{hint}")
        options = {} if options is None else options
        if not isinstance(options, Mapping):
            raise ValueError(f"options: expected a dict of option name to value, found {type(options).__name__}")
        values = {key: option.default for key, option in OPTIONS.items()}
        for key, value in options.items():
            if key not in OPTIONS:
                hint = _nearest(key, list(OPTIONS)) if isinstance(key, str) else ""
                raise ValueError(f"unknown option {key!r}{hint}; torch_ge.config.describe() lists all options of backend 'ge'")
            values[key] = OPTIONS[key].parse(key, value)
        return cls(tuple(values.items()), mode)

    def __getitem__(self, key: str) -> Any:
        for name, value in self._values:
            if name == key:
                return value
        raise KeyError(f"{key!r} is not an option of backend 'ge'{_nearest(key, list(OPTIONS))}")

    def __getattr__(self, name: str) -> Any:
        for key, option in OPTIONS.items():
            if option.field == name:
                return self[key]
        raise AttributeError(f"CompilerConfig has no option field {name!r}{_nearest(name, [o.field for o in OPTIONS.values()])}")

    def __iter__(self) -> Iterator[str]:
        return iter(OPTIONS)

    def changed(self) -> dict[str, Any]:
        """The options that differ from their defaults."""
        return {key: value for key, value in self._values if value != OPTIONS[key].default}

    def as_text(self) -> dict[str, str]:
        """All options as text, booleans as "true" and "false": the form that C++ takes."""
        return {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in self._values}


def describe() -> str:
    """All options with default, accepted values and meaning, one block each."""
    return "\n".join(f"{o.key} (default {o.default!r}; {o.accepts})\n    {o.doc}" for o in OPTIONS.values())
