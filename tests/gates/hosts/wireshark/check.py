# SPDX-License-Identifier: BSD-2-Clause
"""check.py HOME CORPUS: compares the plugin in tshark with rocedump, on the captures of HOME,
and on the files of folders in CORPUS. FULL=1: every prefix, and valgrind too."""
import collections
import io
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import flows
import pdml

home, corpus = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
FULL = bool(os.environ.get("FULL"))
failed = []


def tshark(*arguments):
    """Returns the output of tshark. A complaint is a failure."""
    done = subprocess.run([home / "nobody", "tshark", *arguments], capture_output=True,
                          cwd=home)
    said = done.stderr.decode(errors="replace")
    if done.returncode != 0 or said.strip() or b"Dissector bug" in done.stdout:
        failed.append(f"tshark {' '.join(map(str, arguments))}: {said[:300]}")
    return done.stdout


def rocedump(*arguments):
    return [json.loads(line) for line in
            subprocess.run([home / "rocedump", "--json", *arguments], check=True,
                           stdout=subprocess.PIPE).stdout.splitlines()]


# With these disabled, no other dissector runs, so a malformed part is the plugin's.
ALONE = ("--disable-protocol", "eth", "--disable-protocol", "ip", "--disable-protocol",
         "ipv6")


def protos(path, *options):
    """Yields the rocecc of one frame after the other, as a tree of all frames would be large."""
    out = tshark("-r", path, "-T", "pdml", "-J", "rocecc", *options)
    for _, element in ElementTree.iterparse(io.BytesIO(out)):
        if element.tag != "packet":
            continue
        for malformed in element.iterfind("proto[@name='_ws.malformed']"):
            if ALONE[0] in options:
                failed.append(f"{path.name}: {malformed.get('showname')}")
        yield element.find("proto[@name='rocecc']")
        element.clear()


def same_frame(frame, proto, packet, counts):
    """Returns lines about the differences of a frame."""
    placed = []
    if proto is None:
        return ["nothing is shown"]
    wrong = pdml.compare(pdml.of_json(packet), pdml.of_pdml(proto, placed))
    counts["frames"] += 1
    for field in placed:
        is_wrong = pdml.misplaced(field, frame)
        counts["values"] += 1
        counts["placed"] += is_wrong is not None
        if is_wrong:
            wrong.append(f"{field.get('name')} is not at {field.get('pos')}: "
                         f"{field.get('showname')}")
    return wrong


def same(path, *options, config=()):
    """Compares all frames of a capture: values, order and places."""
    counts = collections.Counter()
    frames, said = pdml.frames(path), rocedump(*config, path)
    shown = 0
    for i, proto in enumerate(protos(path, *options)):
        wrong = same_frame(frames[i][0], proto, said[i], counts)
        failed.extend(f"{path.name} {i + 1}: {line}" for line in wrong)
        shown += 1
    if not shown == len(frames) == len(said) > 0:
        failed.append(f"{path.name}: {len(frames)}, {shown}, {len(said)} frames")
    return counts


def prefixes():
    """Compares prefixes of every frame of frame.pcap, as captures that were cut."""
    path, rows = home / "prefixes", []
    for frame, whole in pdml.frames(home / "frame.pcap"):
        rows += [(len(rows) + n, frame[:n], whole) for n in range(1, len(frame))]
    step = 1 if FULL else 5
    pdml.write(path, rows[::step])
    return same(path, *ALONE)


def corpora():
    """Compares fuzzers' findings, and frames with a byte changed, as Ethernet and as IP."""
    rows = [p.read_bytes()[:2000] for p in sorted(corpus.glob("*/*"))]
    state = 1
    for name in ("frame", "ioam", "intmd", "ifa", "csig", "notify"):
        for frame, _ in pdml.frames(home / f"{name}.pcap"):
            state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
            at, to = (state >> 33) % len(frame), state >> 24 & 0xff
            rows.append(frame[:at] + bytes([to]) + frame[at + 1:])
    total = collections.Counter()
    for link in (1, 101):
        path = home / f"corpora-{link}"
        pdml.write(path, [(i, row, len(row)) for i, row in enumerate(rows) if row], link)
        total += same(path, *ALONE)
        if FULL:
            valgrind(path)
    return total


def valgrind(path):
    """The plugin must read and write only its own memory."""
    done = subprocess.run([home / "nobody", "env", "G_SLICE=always-malloc",
                           "WIRESHARK_DEBUG_WMEM_OVERRIDE=simple", "valgrind", "-q",
                           "--error-exitcode=9", "tshark", "-r", path, "-T", "pdml",
                           *ALONE], capture_output=True, cwd=home)
    if done.returncode != 0:
        failed.append(f"valgrind, {path.name}: {done.stderr.decode()[:2000]}")


# ---- headers before IP

def links():
    """Compares IP after the header of a capture, or after none."""
    total = collections.Counter()
    packets = [f[14:] for f, _ in pdml.frames(home / "frame.pcap")
               if f[12:14] in (b"\x08\x00", b"\x86\xdd")][:40]
    for link in (0, 101, 108, 113, 276):
        rows = []
        for packet in packets:
            v6 = packet[0] >> 4 == 6
            ether = b"\x86\xdd" if v6 else b"\x08\x00"
            family = bytes([30 if v6 else 2])
            head = {0: family + bytes(3), 101: b"", 108: bytes(3) + family,
                    113: bytes.fromhex("000000010006020000000001") + bytes(2) + ether,
                    276: ether + bytes.fromhex("0000000000030001000602000000000100"
                                               "00")}[link]
            rows.append((len(rows), head + packet, len(head + packet)))
        path = home / f"link-{link}"
        pdml.write(path, rows, link)
        total += same(path)
    return total


# ---- preferences

def numbered_frames():
    """Writes a packet of frame.pcap after each tag, in each overlay of UDP, and after AH, for
    the numbers of a domain."""
    frame = next(f for f, whole in pdml.frames(home / "frame.pcap")
                 if len(f) == whole and f[12:15] == b"\x08\x00\x45" and f[23] == 17
                 and f[36:38] == b"\x12\xb7" and f[20:22] == b"\x40\x00")
    rows = [frame[:12] + bytes.fromhex(tag) + frame[12:] for tag in (
        "9100 2064", "893f b123 2456 0708", "8926 a345 9678",
        "d28b 0001 0010 01020304 00000005", "d28b 0001 0120 0304 00000005")]
    ah = bytes.fromhex("1104 0000 00000102 00000003") + bytes(range(12))
    inside = {51: [ah + frame[34:]], 17: []}
    for port, head, inner in ((4789, "0800000000000700", frame), (8472, "0800000000000700", frame),
                              (4790, "0c00000300000700", frame), (6081, "0000655800000700", frame),
                              (6635, "0004d140", frame[14:]), (4754, "00000800", frame[14:])):
        body = bytes.fromhex(head) + inner
        inside[17].append(struct.pack(">HHHH", 50000, port, 8 + len(body), 0) + body)
    for proto, bodies in inside.items():
        rows += [frame[:16] + struct.pack(">H", 20 + len(body)) + frame[18:23] + bytes([proto])
                 + frame[24:34] + body for body in bodies]
    pdml.write(home / "numbered.pcap", [(i, row, len(row)) for i, row in enumerate(rows)])


NUMBERS = {"fastcnp.type_plain": "0x9c", "fastcnp.type_ioam": "0x9d",
           "l3qcn.port": "51000", "arn.port": "51001", "ifa.protocol": "0",
           "intmd.udp_port": "5000", "csig.compact_tpid": "0x9902",
           "csig.wide_tpid": "0x9903", "ioam.tx_bytes_bit": "0",
           "rocev2_port": "4800", "icrc.rule": "masked", "ah": "0",
           "link": "ip", "tag.vlan_tpid": "0", "tag.etag_type": "0", "tag.vntag_type": "0",
           "tag.arista_type": "0", "overlay.vxlan_port": "9001",
           "overlay.vxlan_port_2": "9002", "overlay.vxlan_gpe_port": "0",
           "overlay.geneve_port": "9003", "overlay.mpls_port": "9004",
           "overlay.gre_port": "9005"}


def preferences():
    """Each number must change some frames, as for rocedump. Of all frames of all captures, only
    those that change are compared."""
    everything = [(frame, whole) for path in sorted(home.glob("*.pcap"))
                  for frame, whole in pdml.frames(path)]
    path, changed = home / "everything", home / "changed"
    pdml.write(path, [(i, *frame) for i, frame in enumerate(everything)])
    before = rocedump(path)
    total = collections.Counter()
    for name, value in NUMBERS.items():
        config = ("--config", f"{name}={value}")
        after = rocedump(*config, path)
        rows = [(i, *everything[i]) for i in range(len(after)) if after[i] != before[i]]
        if not rows:
            failed.append(f"{name}={value} changes nothing")
            continue
        pdml.write(changed, rows)
        total += same(changed, "-o", f"rocecc.{name}:{value}", config=config)
    return total


def defaults():
    """All preferences must have rocedump's names and defaults."""
    listed = re.findall(rb"^#?rocecc\.(\S+): ?(.*)$", tshark("-G", "currentprefs"), re.M)
    words = {b"TRUE": b"1", b"FALSE": b"0"}
    path = home / "everything"
    config = [b"%s=%s" % (name, words.get(value, value)) for name, value in listed
              if name not in (b"lsn", b"domain_file")]
    missing = [name for name in NUMBERS if name.encode() not in dict(listed)]
    if missing or rocedump(*(word for one in config for word in ("--config", one)),
                           path) != rocedump(path):
        failed.append(f"preferences: {missing}, or other defaults than rocedump's")
    return len(config)


def option(name):
    return "-o", f"rocecc.domain_file:{home / name}"


def domain_file():
    """The domain of a file must replace the members' preferences, but not the ICRC rule."""
    (home / "good.domain").write_text(
        "rocev2_port=4791\nintmd.udp_port=5000\ncsig.compact_tpid=0x9902\nah=1\n"
        "fastcnp.type_plain=0x9c\noverlay.own_ports=1\noverlay.vxlan_port=4789\n")
    return same(home / "everything", *option("good.domain"), "-o", "rocecc.icrc.rule:masked",
                "-o", "rocecc.intmd.udp_port:5001", "-o", "rocecc.l3qcn.port:4791",
                config=("--domain", home / "good.domain", "--config", "icrc.rule=masked"))


def bad_domain_files():
    """A bad file must be reported once, and must change nothing."""
    shown = ("tshark", "-r", home / "everything", "-O", "rocecc")
    rule = ("-o", "rocecc.icrc.rule:masked")
    bad = {"missing.domain": None, "line.domain": "intmd.udp_port=5000\nbandwidth=1\n",
           "refused.domain": "intmd.udp_port=5000\narn.port=5000\n"}
    before = tshark(*shown[1:])
    for options in (option("good.domain"), rule):
        if tshark(*shown[1:], *options) == before:
            failed.append(f"{options} change nothing")
    for name, text in bad.items():
        if text is not None:
            (home / name).write_text(text)
        done = subprocess.run([home / "nobody", *shown, *option(name), *rule],
                              capture_output=True, cwd=home)
        said = f'rocecc.domain_file cannot be "{home / name}"'
        if done.stdout != before or done.stderr.decode().count(said) != 1:
            failed.append(f"{name}: {done.stderr}, or it changes frames")
    return len(bad)


def refusals():
    """Checks the messages for refused preferences."""
    for name, value, why in (("l3qcn.port", "4791", "l3qcn.port is the UDP port of RoCEv2"),
                             ("overlay.gre_port", "4789",
                              "overlay.vxlan_port and overlay.gre_port are the same UDP port"),
                             ("tag.etag_type", "0x8100",
                              "tag.etag_type is a length or the EtherType of another header"),
                             ("arn.port", "many", 'rocecc.arn.port cannot be "many"')):
        done = subprocess.run([home / "nobody", "tshark", "-o", f"rocecc.{name}:{value}",
                               "-r", home / "notify.pcap"], capture_output=True)
        if why.encode() not in done.stderr:
            failed.append(f"{name}={value}: {done.stderr}")


# ---- filters

def packets_in(packet):
    while packet is not None:
        yield packet
        packet = packet.get("inner")


def asks(p):
    """Returns whether a packet asks a sender to slow down, by rocedump's output."""
    pfc = p.get("pfc", {"enable": 0, "quanta": []})
    return ("cnp" in p or "cnm" in p or p.get("arn", {}).get("type") == 1 or
            p.get("pause", {}).get("quanta", 0) != 0 or
            any(q != 0 and pfc["enable"] >> i & 1 for i, q in enumerate(pfc["quanta"])))


FILTERS = {
    "rocecc.bth.opcode == 0x81 && rocecc.bth.becn == 1":
        lambda p: "bth" in p and p["bth"]["opcode"] == 0x81 and p["bth"]["becn"],
    "rocecc.bth.opcode == 0x81 && rocecc.bth.fecn == 1":
        lambda p: "bth" in p and p["bth"]["opcode"] == 0x81 and p["bth"]["fecn"],
    "rocecc.cnp": lambda p: "cnp" in p,
    "rocecc.fastcnp": lambda p: "fastcnp" in p,
    "rocecc.cntag": lambda p: "cntag" in p,
    "rocecc.csig": lambda p: "csig" in p,
    "rocecc.ioam": lambda p: "ioam" in p or p.get("fastcnp", {}).get("ioam"),
    "rocecc.ifa.nodes": lambda p: p.get("ifa", {}).get("nodes"),
    "rocecc.intmd": lambda p: "intmd" in p,
    "rocecc.icrc.bad": lambda p: p.get("icrc", {}).get("ok") is False,
    "rocecc.icrc.ok == 1": lambda p: p.get("icrc", {}).get("ok") is True,
    "rocecc.icrc.unknown": lambda p: "icrc" in p and p["icrc"]["ok"] is None,
    'rocecc.icrc.rule == "masked"': lambda p: p.get("icrc", {}).get("rule") == "masked",
    "rocecc.format": lambda p: p["status"] == "format",
    "rocecc.asks": asks,
    '_ws.expert.severity == "Warning" && _ws.expert.group == "Sequence" && rocecc.asks':
        asks}


def with_fecn():
    """Returns a CNP's frame with FECN, with BECN, and with both."""
    frame = flows.roce(bytes(4), bytes(4), 1, 0x81, 0, 0, bytes(16))
    return [frame[:46] + bytes([bits]) + frame[47:] for bits in (0x80, 0x40, 0xc0)]


def filters():
    """Each filter must pass exactly its frames."""
    path, every = home / "filters", pdml.frames(home / "everything")
    every += [(frame, len(frame)) for frame in with_fecn()]
    pdml.write(path, [(i, *frame) for i, frame in enumerate(every)])
    for text, has in FILTERS.items():
        rule = "none" if "unknown" in text else "auto"
        said = rocedump("--config", "intmd.udp_port=5000", "--config",
                        f"icrc.rule={rule}", path)
        out = tshark("-r", path, "-Y", text, "-T", "fields", "-e", "frame.number", "-o",
                     "rocecc.intmd.udp_port:5000", "-o", f"rocecc.icrc.rule:{rule}",
                     *ALONE)
        shown = [int(n) for n in out.split()]
        expected = [p["frame"] for p in said if any(has(q) for q in packets_in(p))]
        if shown != expected or not expected:
            failed.append(f"{text}: {shown[:9]} and not {expected[:9]}")
    return len(FILTERS)


def lsn():
    """Checks LDCP's header, with and without its preference."""
    heads = [(0x04, b"", (0x12, 0x10, 7, 4096)), (0x11, bytes(4), (0x12, 0xc5, 8, 4196)),
             (0x04, b"", (0x22, 0x10, 7, 4096))]  # the last one of another version
    path = home / "lsn"
    frames = [flows.roce(bytes(4), bytes(4), 1, opcode, 0, 2,
                         before + struct.pack(">BBHI", *head) + b"data")
              for opcode, before, head in heads]
    pdml.write(path, [(i, frame, len(frame)) for i, frame in enumerate(frames)])
    names = [word for name in ("packet", "lsn", "ack", "ece", "last", "resv")
             for word in ("-e", f"rocecc.lsn.{name}")]
    for on, expected in (("TRUE", "7,4096,0,0,1,0\n8,4196,1,1,0,5\n,,,,,\n"),
                         ("FALSE", ",,,,,\n" * 3)):
        out = tshark("-r", path, "-o", f"rocecc.lsn:{on}", "-T", "fields", *names, "-E",
                     "separator=,").decode()
        if out != expected:
            failed.append(f"lsn {on}: {out!r} and not {expected!r}")


def end():
    for line in failed[:40]:
        print("wireshark:", line[:400])
    sys.exit(bool(failed))


def main():
    total = collections.Counter()
    numbered_frames()
    for path in sorted(home.glob("*.pcap")):
        total += same(path)
    print(f"wireshark: {total['frames']} frames as rocedump has them, {total['values']} "
          f"values, {total['placed']} of them compared with the bits at their place")
    if failed:
        end()
    print(f"wireshark: {prefixes()['frames']} frames that were cut, "
          f"{corpora()['frames']} of fuzzers, {links()['frames']} of other links: the "
          "same, none malformed")
    print(f"wireshark: {len(NUMBERS)} preferences change {preferences()['frames']} "
          "frames as they change them for rocedump; all "
          f"{defaults()} have its names and defaults")
    print(f"wireshark: {domain_file()['frames']} frames with a domain file as rocedump has "
          f"them; {bad_domain_files()} bad files are reported and change nothing")
    refusals()
    print(f"wireshark: {filters()} filters find what they should")
    print(f"wireshark: {flows.check(home, tshark, failed)} flows counted")
    lsn()
    end()


main()
