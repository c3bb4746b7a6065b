# SPDX-License-Identifier: BSD-2-Clause
"""
The common part of the exact models. It generates events as vectors/README defines them, and
writes vectors/<algorithm>.vec.

A model is a class with PRESETS, a dict of functions from link_bps to a dict of parameters.
__init__() takes these parameters. For each event, a method with the event's name takes the
event's arguments by keyword and returns the action as a dict. state() returns the state as a
dict. Values are integers, strings (for enumerations and sets), booleans, or Exact numbers.
The library's values of the members in SUMMED are close to the exact values, but may differ
from them. So these members are summed and not hashed, and tests/algo/<algorithm>.c has their
bounds.

    python3 vectors/model/dcqcn.py            writes vectors/dcqcn.vec
    python3 vectors/model/dcqcn.py --check    compares it instead
"""
import os
import re
import sys

EVERY = 50  # every 50th event has a line, and so has the last event
FIRST = 200  # each of the first 200 events has a line, too
HASHED = 500  # the hash is in the line of every 500th event, and in the last line
SCALE = 256  # an Exact number counts units of 2^-256


class Exact:
    """A real number in units of 2^-256. The rounding errors of a whole trace stay
    negligible."""

    __slots__ = ("n",)

    def __init__(self, value=0, _n=None):
        self.n = (value << SCALE) if _n is None else _n

    @staticmethod
    def ratio(a, b):
        return Exact(_n=(a << SCALE) // b)

    @staticmethod
    def _n(other):
        return other.n if isinstance(other, Exact) else other << SCALE

    def __add__(self, other):
        return Exact(_n=self.n + Exact._n(other))

    __radd__ = __add__

    def __sub__(self, other):
        return Exact(_n=self.n - Exact._n(other))

    def __rsub__(self, other):
        return Exact(_n=Exact._n(other) - self.n)

    def __mul__(self, other):
        if isinstance(other, Exact):
            return Exact(_n=self.n * other.n >> SCALE)
        return Exact(_n=self.n * other)

    __rmul__ = __mul__

    def __truediv__(self, other):
        if isinstance(other, Exact):
            return Exact(_n=(self.n << SCALE) // other.n)
        return Exact(_n=self.n // other)

    def __rtruediv__(self, other):
        return Exact(other) / self

    def __neg__(self):
        return Exact(_n=-self.n)

    def __abs__(self):
        return Exact(_n=abs(self.n))

    def __lt__(self, other):
        return self.n < Exact._n(other)

    def __le__(self, other):
        return self.n <= Exact._n(other)

    def __gt__(self, other):
        return self.n > Exact._n(other)

    def __ge__(self, other):
        return self.n >= Exact._n(other)

    def __eq__(self, other):
        return self.n == Exact._n(other)

    def __float__(self):
        return self.n / (1 << SCALE)

    def __int__(self):
        return self.n >> SCALE

    def __str__(self):
        thousandths = (self.n * 1000 + (1 << SCALE - 1)) >> SCALE
        sign = "-" if thousandths < 0 else ""
        whole, part = divmod(abs(thousandths), 1000)
        return f"{sign}{whole}.{part:03d}".rstrip("0").rstrip(".")


class TooNear(Exception):
    """A comparison so close to its threshold that less precise arithmetic may differ."""


def at_least(x, bound, relative=1e-4, absolute=0.0):
    """Returns x >= bound. Raises TooNear if x or bound is Exact, and they are close but not
    equal."""
    if isinstance(x, Exact) or isinstance(bound, Exact):
        distance, size = abs(float(x - bound)), abs(float(bound))
        if distance <= relative * size + absolute and distance != 0:
            raise TooNear(f"{float(x)} >= {float(bound)}")
    return x >= bound


class Random:
    """The random numbers of vectors/README."""

    def __init__(self, seed):
        self.x = seed

    def next(self):
        self.x = (self.x * 6364136223846793005 + 1442695040888963407) % 2**64
        return self.x >> 32

    def below(self, n):
        return self.next() * n >> 32


class Generator:
    """Generates the events that the phases of a trace describe."""

    def __init__(self, seed, phases):
        self.random = Random(seed)
        self.sums = {}
        self.phases = [self._phase(p) for p in phases]

    @staticmethod
    def _phase(text):
        count, rest = text.strip().split(":", 1)
        kinds = []
        for part in rest.split("|"):
            head, *args = part.split()
            name, _, weight = head.partition("*")
            kinds.append((name, int(weight or 1), [a.split("=", 1) for a in args]))
        return int(count), kinds

    def _range(self, text):
        low, high = (int(x, 0) for x in text.split(".."))
        assert 0 <= high - low < 2**32, text
        return low + self.random.below(high - low + 1)

    def _value(self, key, how, made):
        if how.startswith("+"):
            span, _, modulus = how[1:].partition("%")
            total = (self.sums.get(key, 0) + self._range(span)) % 2**64
            self.sums[key] = total % int(modulus) if modulus else total
            return self.sums[key]
        if how.startswith("@"):
            other, span = how[1:].split("+", 1)
            return (made[other] + self._range(span)) % 2**64
        if ".." in how:
            return self._range(how)
        if "/" in how:
            how = how.split("/")[self.random.below(how.count("/") + 1)]
        return int(how, 0) if re.fullmatch(r"0x[0-9a-f]+|\d+", how) else how

    def events(self):
        for count, kinds in self.phases:
            weights = sum(k[1] for k in kinds)
            for _ in range(count):
                pick = self.random.below(weights)
                for name, weight, args in kinds:
                    if pick < weight:
                        break
                    pick -= weight
                made = {}
                for key, how in args:
                    made[key] = self._value(key, how, made)
                yield name, made


def text(value):
    return str(int(value)) if isinstance(value, bool) else str(value)


def line(values):
    return " ".join(f"{k}={text(v)}" for k, v in values.items())


def start(model, settings):
    """Returns a model with the parameters in the first line of a trace."""
    params = dict(model.PRESETS[settings["preset"]](int(settings.get("link_bps", 10**11))))
    for key, value in settings.items():
        if key in ("seed", "preset", "link_bps"):
            continue
        assert key in params, key
        params[key] = int(value, 0) if re.fullmatch(r"0x[0-9a-f]+|-?\d+", value) else value
    return model(params)


def step(m, name, args):
    """Returns the model's action for an event."""
    return getattr(m, name)(**{k.replace("[", "_").replace("].", "_"): v
                               for k, v in args.items()})


class All:
    """The third part of a line. The hash covers all actions and states since event 1. The sums are
    over the events since the previous line with this part."""

    PRIME, START = 0x100000001b3, 0xcbf29ce484222325

    def __init__(self, near):
        self.hash = self.START
        self.near = near
        self.clear()

    def clear(self):
        self.sums = {key: Exact(0) for key in self.near}

    def add(self, *parts):
        h = self.hash
        for part in parts:
            for key, value in part.items():
                if key in self.sums:
                    self.sums[key] += value
                elif isinstance(value, str):
                    for byte in value.encode("ascii"):
                        h = (h ^ byte) * self.PRIME % 2**64
                else:
                    h = (h ^ int(value) % 2**64) * self.PRIME % 2**64
        self.hash = h

    def line(self, hashed):
        out = line(({"all": f"{self.hash:016x}"} if hashed else {}) | self.sums)
        self.clear()
        return " | " + out if out else ""


def run(model, head, phases, near):
    """Returns the lines of one trace. `head` is `ID ALGO seed=N preset=NAME link_bps=N ...`."""
    settings = dict(x.split("=", 1) for x in head.split()[2:])
    m = start(model, settings)
    out = [f"trace {head}"] + [f"  {p.strip()}" for p in phases]
    out.append(f"0: | {line(m.state())}")
    generator = Generator(int(settings["seed"]), phases)
    every = All(near)
    last = sum(count for count, _ in generator.phases)
    for n, (name, args) in enumerate(generator.events(), 1):
        try:
            action = step(m, name, args)
        except TooNear as e:
            raise SystemExit(f"{head.split()[0]}: event {n}, {name}: {e}: another seed")
        state = m.state()
        every.add(action, state)
        said = f"{n}: {line(action)} | {line(state)}"
        if n % EVERY == 0 or n == last:
            out.append(said + every.line(n % HASHED == 0 or n == last))
        elif n <= FIRST:
            out.append(said)
    return out


def main(algorithm, model, traces):
    """Writes or checks the vectors. `traces` is a list of pairs of a head and its phases."""
    here = os.path.dirname(os.path.abspath(__file__))
    path = os.path.join(here, "..", algorithm + ".vec")
    out = ["# SPDX-License-Identifier: BSD-2-Clause",
           f"# Written by model/{os.path.basename(sys.argv[0])}.",
           f"source: the exact model of {algorithm}, 2^-256", ""]
    for head, phases in traces:
        out += run(model, head, phases, getattr(model, "SUMMED", "").split()) + [""]
    whole = "\n".join(out)
    if "--check" not in sys.argv[1:]:
        with open(path, "w") as f:
            f.write(whole)
        return
    with open(path) as f:
        if f.read() != whole:
            raise SystemExit(f"{algorithm}.vec is not what its model writes")
    print(f"vectors: {algorithm}: {len(traces)} traces as the model writes them")
