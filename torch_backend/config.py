"""The options of `torch.compile(backend="ge", options={...})`: typed values over one table.

Every option is declared once, in `ge_core/passes/options.cc`; `OPTIONS` is that table. Values are given at three scopes,
and the narrower wins: `set_options` for the process, `session` for what is compiled inside a block, and `options=` of
torch.compile for one graph. `CompilerConfig` is the checked result. Values travel to C++ as text, the form in which GE's
own option maps carry them.
"""

from __future__ import annotations

import contextlib
import contextvars
import dataclasses
import difflib
import functools
import threading
import types
from collections.abc import Iterator, Mapping
from typing import Any

MODES = ("default", "max-autotune")

_ACCEPTS = {
    "switch": "True, False, 'true', 'false'",
    "integer": "an integer",
    "names": "names separated by ',', or a list of names",
    "switches": "'PassName:on;OtherPass:off', or a dict of pass name to 'on', 'off' or bool",
    "text": "a string",
}


@dataclasses.dataclass(frozen=True)
class Option:
    """One option: its key, kind, default and a line of help.

    `parse` turns what a user may write (a bool, a list of names, a dict of switches) into the value; `text` turns the
    value into what C++ takes. Both raise ValueError naming key, value and what is accepted.
    """

    key: str
    kind: str
    choices: tuple[str, ...]
    default: Any
    doc: str

    @property
    def field(self) -> str:
        """The attribute name on CompilerConfig: `ge.oo.constantFolding` -> `oo_constant_folding`."""
        tail = self.key.removeprefix("ge.").replace(".", "_")
        return "".join("_" + c.lower() if c.isupper() else c for c in tail)

    @property
    def accepts(self) -> str:
        return ", ".join(map(repr, self.choices)) if self.kind == "choice" else _ACCEPTS[self.kind]

    def _reject(self, value: Any, hint: str = "") -> ValueError:
        return ValueError(f"option {self.key}: {value!r} is not a valid value; accepted: {self.accepts}{hint}")

    def parse(self, value: Any) -> Any:
        if self.kind == "switch":
            if isinstance(value, bool):
                return value
            if value in ("true", "false"):
                return bool(value == "true")
            raise self._reject(value, _nearest(value, ["true", "false"]))
        if self.kind == "integer":
            if isinstance(value, int) and not isinstance(value, bool):
                return value
            try:
                return int(value) if isinstance(value, str) else int("")
            except ValueError:
                raise self._reject(value) from None
        if self.kind == "choice":
            if isinstance(value, str) and value in self.choices:
                return value
            raise self._reject(value, _nearest(value, list(self.choices)))
        if self.kind == "names":
            return self._names(value)
        if self.kind == "switches":
            return self._switches(value)
        if not isinstance(value, str):
            raise self._reject(value)
        return value

    def text(self, value: Any) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value)

    def _names(self, value: Any) -> str:
        """A list of names, kept as text with single separators and no blanks."""
        parts = value.split(",") if isinstance(value, str) else value
        if not isinstance(parts, (list, tuple)) or not all(isinstance(p, str) for p in parts):
            raise self._reject(value)
        cleaned = [p.strip() for p in parts]
        if cleaned in ([], [""]):
            return ""
        if any(not p or "," in p for p in cleaned):
            raise self._reject(value, " (one of them is empty)")
        return ",".join(cleaned)

    def _switches(self, value: Any) -> str:
        if isinstance(value, Mapping):
            pairs = []
            for name, state in value.items():
                pairs.append(f"{name}:{('on' if state else 'off') if isinstance(state, bool) else state}")
            value = ";".join(pairs)
        if not isinstance(value, str):
            raise self._reject(value)
        seen: dict[str, str] = {}
        for item in filter(None, (part.strip() for part in value.split(";"))):
            name, colon, state = (s.strip() for s in item.partition(":"))
            if not name or not colon or state not in ("on", "off"):
                raise self._reject(value, f" ({item!r} is neither 'name:on' nor 'name:off')")
            if seen.setdefault(name, state) != state:
                raise self._reject(value, f" ({name!r} is switched both on and off)")
        return ";".join(f"{name}:{state}" for name, state in seen.items())


def _nearest(word: Any, words: list[str]) -> str:
    """` (did you mean 'x'?)`, or nothing when no word is close."""
    if not isinstance(word, str):
        return ""
    folded = {w.lower(): w for w in words}
    close = difflib.get_close_matches(word.lower(), list(folded), n=1, cutoff=0.5)
    return f" (did you mean {folded[close[0]]!r}?)" if close else ""


@functools.cache
def _table() -> Mapping[str, Option]:
    from . import _C

    rows = {}
    for row in _C.option_table():
        option = Option(row["key"], row["kind"], tuple(row["choices"]), None, row["doc"])
        rows[option.key] = dataclasses.replace(option, default=option.parse(row["default"]))
    return types.MappingProxyType(rows)


def __getattr__(name: str) -> Any:
    if name == "OPTIONS":  # needs the native library, so it is made when asked for
        return _table()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _parse(options: Mapping[str, Any] | None) -> dict[str, Any]:
    options = {} if options is None else options
    if not isinstance(options, Mapping):
        raise ValueError(f"options: expected a dict of option name to value, found {type(options).__name__}")
    values = {}
    for key, value in options.items():
        if key not in _table():
            hint = _nearest(key, list(_table()))
            raise ValueError(f"unknown option {key!r}{hint}; torch_ge.config.describe() lists all options of backend 'ge'")
        values[key] = _table()[key].parse(value)
    return values


_lock = threading.Lock()
_global: dict[str, Any] = {}
_session: contextvars.ContextVar[Mapping[str, Any]] = contextvars.ContextVar("torch_ge_session", default=types.MappingProxyType({}))


def set_options(options: Mapping[str, Any] | None) -> None:
    """Options of the process: the widest scope. Replaces those set before; None or {} goes back to the defaults.

    What is compiled already stays as it is.
    """
    values = _parse(options)
    with _lock:
        _global.clear()
        _global.update(values)


@contextlib.contextmanager
def session(options: Mapping[str, Any]) -> Iterator[None]:
    """Options of everything that this thread compiles inside the block; they win over `set_options`, and `options=` of
    torch.compile wins over them. Sessions nest. Note that torch.compile compiles at the first call, not where it stands.
    """
    token = _session.set({**_session.get(), **_parse(options)})
    try:
        yield
    finally:
        _session.reset(token)


@dataclasses.dataclass(frozen=True)
class CompilerConfig:
    """A checked, immutable set of option values; equal sets compare and hash equal, so they can key a cache.

    Build it with `from_torch`; read with `config["ge.oo.level"]` or `config.oo_level`.
    """

    _values: tuple[tuple[str, Any], ...] = dataclasses.field(
        default_factory=lambda: tuple((key, option.default) for key, option in _table().items())
    )
    mode: str = "default"

    @classmethod
    def from_torch(cls, options: Mapping[str, Any] | None = None, mode: str | None = None) -> CompilerConfig:
        """What torch.compile hands to a backend, over the options of the session and of the process.

        Raises ValueError that names the key and the nearest valid one.
        """
        from . import _C

        mode = "default" if mode is None else mode
        if not isinstance(mode, str) or mode not in MODES:
            hint = _nearest(mode, list(MODES))
            raise ValueError(f"mode: {mode!r} is not supported by backend 'ge'; accepted: {', '.join(map(repr, MODES))}{hint}")
        table = _table()
        with _lock:
            scopes = [dict(_global), dict(_session.get()), _parse(options)]
        resolved = _C.resolve_options(*({key: table[key].text(value) for key, value in scope.items()} for scope in scopes))
        return cls(tuple((key, option.parse(resolved[key])) for key, option in table.items()), mode)

    def __getitem__(self, key: str) -> Any:
        for name, value in self._values:
            if name == key:
                return value
        raise KeyError(f"{key!r} is not an option of backend 'ge'{_nearest(key, list(_table()))}")

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            for key, option in _table().items():
                if option.field == name:
                    return self[key]
        fields = [o.field for o in _table().values()] if not name.startswith("_") else []
        raise AttributeError(f"CompilerConfig has no option field {name!r}{_nearest(name, fields)}")

    def __iter__(self) -> Iterator[str]:
        return iter(_table())

    def changed(self) -> dict[str, Any]:
        """The options that differ from their defaults."""
        return {key: value for key, value in self._values if value != _table()[key].default}

    def as_text(self) -> dict[str, str]:
        """All options as text, booleans as "true" and "false": the form that C++ takes."""
        return {key: _table()[key].text(value) for key, value in self._values}


def describe() -> str:
    """All options with default, accepted values and meaning, one block each."""
    return "\n".join(f"{o.key} (default {o.default!r}; {o.accepts})\n    {o.doc}" for o in _table().values())
