# SPDX-License-Identifier: BSD-2-Clause
"""
An independent model of the limiter for notifications (guard/admission.h), in exact integers.
It follows the figure and the statements AD-1 to AD-4 of that header, and rules T-1 to T-5 of
guard/tokenbucket.h. The models of the roles use it. Nothing comes from rocecc's C.

    SETTINGS          parameter names, in the order of the rows of fields/admission.h, but
                      without their prefix `admission.`
    params(config)    {NAME: value} for a configuration {"admission.NAME": value, ...}
    preset(n, rate)   {NAME: value} of rocecc_admission_for(n, rate)
    lookup(entries, address)
                      the entry with the longest prefix that contains an address of 16 bytes,
                      or None; an entry is (IPv6Network, permit, tag)
    refusal(params, entries)
                      "accepted", "list", "source", "shared" or "verify"
    full_ns(params)   {"source.full_ns": ..., "verify.full_ns": ..., "shared.full_ns": ...},
                      as init() derives them; all are 0 if `unlimited` is set

    limiter = Limiter(params, n_sources, now)   tags 0 .. n_sources - 1 have buckets
    limiter.begin(entry, now)    for an entry from lookup(): "admitted" if the notification
                                 must be verified, or "unlisted", "source_limited",
                                 "verify_limited"
    limiter.finish(tag, now)     after a correct ICRC or checksum: "admitted",
                                 "source_limited" or "shared_limited"
    limiter.count[verdict]       number of notifications with this final verdict
    limiter.state(tag)           {"level_e9", "last_ns", "admitted_e9", "verified_e9"}: level
                                 and time of the shared bucket, levels of a source's buckets
"""
from ipaddress import IPv6Address

VERDICTS = ("admitted", "unlisted", "source_limited", "verify_limited", "shared_limited")
BUCKETS = ("source", "verify", "shared")
SETTINGS = ("unlimited", "misbehaving",
            *(f"{bucket}.{name}" for bucket in BUCKETS for name in ("rate_per_s", "burst")))
ONE = 10**9  # one token, in the unit of the levels


def params(config):
    return {name: config.get(f"admission.{name}", 0) for name in SETTINGS}


def preset(misbehaving, rate):
    """Returns limits. A source's burst is 1/16 s of its rate, but at least one token. The verify
    bucket gets 4 times a source's limits, and the shared bucket gets misbehaving + 1 times a
    source's limits (AD-4)."""
    out = {"unlimited": 0, "misbehaving": misbehaving}
    for bucket, times in zip(BUCKETS, (1, 4, misbehaving + 1)):
        out[f"{bucket}.rate_per_s"] = times * rate
        out[f"{bucket}.burst"] = times * max(1, rate // 16)
    return out


def lookup(entries, address):
    holding = [e for e in entries if IPv6Address(address) in e[0]]
    return max(holding, key=lambda e: e[0].prefixlen, default=None)


def at_least(params, bucket, times):
    """Returns true if the bucket's rate and burst are at least `times` times those of a source."""
    return all(params[f"{bucket}.{name}"] >= times * params[f"source.{name}"]
               for name in ("rate_per_s", "burst"))


def refusal(params, entries):
    if not entries:
        return "list"
    if params["unlimited"]:
        return "accepted"
    if not params["source.rate_per_s"] or not params["source.burst"]:
        return "source"
    if not params["misbehaving"] or not at_least(params, "shared", params["misbehaving"] + 1):
        return "shared"
    return "accepted" if at_least(params, "verify", 1) else "verify"


def filled_ns(rate, burst):
    """Returns the time in ns that an empty bucket needs to fill up, rounded up."""
    return -(-burst * ONE // rate)


def full_ns(params):
    return {f"{b}.full_ns": 0 if params["unlimited"] else
            filled_ns(params[f"{b}.rate_per_s"], params[f"{b}.burst"]) for b in BUCKETS}


class Bucket:
    def __init__(self, params, name, now):
        self.rate, self.burst = params[f"{name}.rate_per_s"], params[f"{name}.burst"]
        self.level, self.last = self.burst * ONE, now  # T-1

    def holds(self, now):
        if now >= self.last:  # T-2, T-3
            self.level = min(self.burst * ONE, self.level + (now - self.last) * self.rate)
            self.last = now
        elif self.last - now > filled_ns(self.rate, self.burst):  # T-5
            self.last = now
        return self.level >= ONE

    def take(self, now):
        held = self.holds(now)
        self.level -= ONE if held else 0  # T-4
        return held


class Limiter:
    def __init__(self, params, n_sources, now=0):
        self.unlimited = params["unlimited"]
        self.shared = Bucket(params, "shared", now)
        self.sources = [(Bucket(params, "source", now), Bucket(params, "verify", now))
                        for _ in range(n_sources)]
        self.count = dict.fromkeys(VERDICTS, 0)

    def begin(self, entry, now):
        verdict = self.ask(entry, now)
        if verdict != "admitted":
            self.count[verdict] += 1
        return verdict

    def ask(self, entry, now):
        if entry is None or not entry[1]:
            return "unlisted"
        if self.unlimited:
            return "admitted"
        if entry[2] >= len(self.sources):
            return "source_limited"  # AD-1
        admitted, verified = self.sources[entry[2]]
        if not admitted.holds(now):
            return "source_limited"  # AD-3
        return "admitted" if verified.take(now) else "verify_limited"

    def finish(self, tag, now):
        verdict = "admitted"
        if not self.unlimited:
            if not self.sources[tag][0].take(now):
                verdict = "source_limited"
            elif not self.shared.take(now):  # AD-4: the shared bucket is last
                verdict = "shared_limited"
        self.count[verdict] += 1
        return verdict

    def state(self, tag):
        admitted, verified = (self.sources[tag] if tag < len(self.sources) else (None, None))
        return {"level_e9": self.shared.level, "last_ns": self.shared.last,
                "admitted_e9": admitted.level if admitted else 0,
                "verified_e9": verified.level if verified else 0}


def main():
    """Runs the header's example of AD-4 for one second."""
    limiter = Limiter(preset(4, 1000), 5)
    counts = [0] * 5
    for now in range(0, ONE, 100000):  # four send 10,000 per second, the fifth 1000
        for tag in range(5 if now % 1000000 == 900000 else 4):
            if limiter.begin((None, True, tag), now) == "admitted":
                counts[tag] += limiter.finish(tag, now) == "admitted"
    if counts[4] != 1000 or any(count > 1000 + 62 for count in counts):
        raise SystemExit(f"admission: {counts} are admitted")
    print("vectors: admission: an honest source loses nothing to four that misbehave")


if __name__ == "__main__":
    main()
