# SPDX-License-Identifier: BSD-2-Clause
"""ioam_kernel.py DIR: the kernel's own IOAM as a peer, in three routers.

    src -- r1 -- r2 -- r3 -- dst      a network namespace each

DIR/ioam_send makes the header, the routers write their nodes, and DIR/rocedump must read exactly
the configured values, and refuse packets that the kernel drops. Needs root and ip(8), tc(8)."""
import ctypes, json, os, socket, struct, subprocess, sys, time

DIR = sys.argv[1]
libc = ctypes.CDLL(None, use_errno=True)
NAMES = ["src", "r1", "r2", "r3", "dst"]
NS = [f"rocecc-{n}-{os.getpid()}" for n in NAMES]
SRC, DST = "2001:db8:0::1", "2001:db8:3::2"
CHECKED = bad = 0


def say(text):
    global bad
    bad += 1
    print(f"ioam_kernel: {text}")


def run(command):
    subprocess.run(command, shell=True, check=True)


def sysctl(i, *settings):
    run(f"ip netns exec {NS[i]} sysctl -qw " + " ".join(f"net.ipv6.{s}" for s in settings))


def enter(i):
    fd = os.open(f"/run/netns/{NS[i]}", os.O_RDONLY)
    if libc.setns(fd, 0x40000000) != 0:
        sys.exit(f"ioam_kernel: setns: {os.strerror(ctypes.get_errno())}")
    os.close(fd)


def mac(i, dev):
    text = subprocess.run(["ip", "netns", "exec", NS[i], "cat",
                           f"/sys/class/net/{dev}/address"], capture_output=True, text=True,
                          check=True).stdout
    return bytes.fromhex(text.strip().replace(":", ""))


def build():
    """Builds the chain. Router i has node id 0xc10 + i and interfaces 16 i, 16 i + 1."""
    for i in range(5):
        run(f"ip netns add {NS[i]}")
        sysctl(i, "conf.all.forwarding=1", "conf.default.forwarding=1",
               "conf.all.accept_dad=0", "conf.default.accept_dad=0")
        run(f"ip -n {NS[i]} link set lo up")
    for i in range(4):
        a, b = NS[i], NS[i + 1]
        run(f"ip -n {a} link add right type veth peer name left netns {b}")
        for ns, dev, host in ((a, "right", 1), (b, "left", 2)):
            run(f"ip -n {ns} link set {dev} up")
            run(f"ip -n {ns} addr add 2001:db8:{i}::{host}/64 dev {dev} nodad")
    for i in range(3):
        run(f"ip -n {NS[i]} -6 route add 2001:db8:3::/64 via 2001:db8:{i}::2")
    for i in range(1, 4):
        sysctl(i, f"ioam6_id={0xc10 + i}", "conf.left.ioam6_enabled=1",
               f"conf.left.ioam6_id={16 * i}", f"conf.right.ioam6_id={16 * i + 1}",
               f"ioam6_id_wide={0xabcdef00000000 + i}",
               f"conf.left.ioam6_id_wide={0x10000 * i}",
               f"conf.right.ioam6_id_wide={0x10000 * i + 1}")
        run(f"ip -n {NS[i]} ioam namespace add 123 data {0xd00 + i} "
            f"wide {0xe00000000 + i:#x}")


class Path:
    def __init__(self):
        enter(4)
        self.rx = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x86dd))
        self.rx.bind(("left", 0x86dd))
        enter(0)
        self.tx = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        self.tx.bind(("right", 0x86dd))
        self.ether = mac(1, "left") + mac(0, "right") + b"\x86\xdd"
        self.port = 1000
        for _ in range(100):  # until the neighbours have found one another
            self.send(b"\x11\0\x01\x04\0\0\0\0")
            if self.receive(0.1):
                return
        sys.exit("ioam_kernel: nothing comes through")

    def send(self, header, data=b"", n=1):
        self.port += 1
        udp = struct.pack(">HHHH", self.port, 9, 8 + len(data), 0) + data
        ip = struct.pack(">IHBB", 0x60000000, len(header) + len(udp), 0, 64)
        ip += socket.inet_pton(socket.AF_INET6, SRC) + socket.inet_pton(socket.AF_INET6, DST)
        for _ in range(n):
            self.tx.send(self.ether + ip + header + udp)

    def receive(self, seconds):
        """Returns the next packet of the last send(), as a frame, or None."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.rx.settimeout(left)
            try:
                p = self.rx.recv(4000)
            except TimeoutError:
                return None
            at = 54 + 8 * (p[55] + 1) if len(p) > 60 else 0
            if p[20] == 0 and struct.unpack(">H", p[at:at + 2])[0] == self.port:
                return p
        return None


def decoded(frame):
    head = struct.pack("<IHHIIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1)
    pcap = head + struct.pack("<IIII", 0, 0, len(frame), len(frame)) + frame
    out = subprocess.run([f"{DIR}/rocedump", "--json", "--config", "ioam.tx_bytes_bit=12",
                          "-"], input=pcap, capture_output=True, check=True).stdout
    return json.loads(out)


def header(namespace, trace_type, words):
    return bytes.fromhex(subprocess.run(
        [f"{DIR}/ioam_send", str(namespace), hex(trace_type), str(words)],
        capture_output=True, text=True, check=True).stdout)


def check(name, what, got, want):
    global CHECKED
    CHECKED += 1
    if got != want:
        say(f"{name}: {what} is {got}, and should be {want}")


def trace(name, j, **members):
    """Returns the nodes of a frame's one trace, and checks its members."""
    if j["status"] != "ok" or len(j.get("ioam", [])) != 1:
        say(f"{name}: {j['status']} at {j.get('at')}, {len(j.get('ioam', []))} traces")
        return []
    for k, v in members.items():
        check(name, k, j["ioam"][0][k], v)
    return j["ioam"][0]["nodes"]


# Router i's members for each bit, without times, queue and snapshot.
def items(i, trace_type):
    bit = lambda n: trace_type >> (23 - n) & 1
    d = {}
    if bit(0):
        d |= {"hop_limit": 64 - i, "node_id": 0xc10 + i}
    if bit(1):
        d |= {"ingress_id": 16 * i, "egress_id": 16 * i + 1}
    if bit(5):
        d |= {"namespace_data": 0xd00 + i}
    if bit(8):
        d |= {"hop_limit_wide": 64 - i, "node_id_wide": f"{0xabcdef00000000 + i:016x}"}
    if bit(9):
        d |= {"ingress_id_wide": 0x10000 * i, "egress_id_wide": 0x10000 * i + 1}
    if bit(10):
        d |= {"namespace_data_wide": f"{0xe00000000 + i:016x}"}
    return d


def nodes(name, got, routers, trace_type, queue=0):
    """Checks the nodes, the first on the path first. Items unknown to the kernel are all ones,
    so not present."""
    check(name, "the number of nodes", len(got), len(routers))
    for n, i in zip(got, routers):
        n = dict(n)
        if trace_type & 0x200000:
            now = time.time()
            age = now - n.pop("timestamp_sec", 0)
            check(name, f"a time {age:.1f} s ago", 0 <= age < 60, True)
        if trace_type & 0x100000:
            check(name, "microseconds", n.pop("timestamp_frac", 10**6) < 10**6, True)
        if trace_type & 0x020000:
            depth = n.pop("queue_depth", -1)
            check(name, f"queue_depth {depth} of r{i}", depth > 0 if i == queue else depth, True if i == queue else 0)
        check(name, f"r{i}", n, items(i, trace_type))


def tests(path):
    def one(name, namespace, trace_type, words, routers, flags, left, queue=0):
        trace_header = header(namespace, trace_type, words)
        if queue:  # half a second of packets before it
            path.send(b"\x11\0\x01\x04\0\0\0\0", bytes(1000), 60)
        path.send(trace_header)
        p = path.receive(3)
        if p is None:
            return say(f"{name}: the kernel dropped it")
        got = trace(name, decoded(p), namespace_id=namespace, flags=flags,
                    remaining_len=left)
        nodes(name, got, routers, trace_type, queue)

    # Queue 6, tx_bytes 12, and seconds, as HPCC++ would ask.
    one("three routers", 123, 0xF20800, 18, [1, 2, 3], 0, 0)
    one("room for four", 123, 0xF20800, 24, [1, 2, 3], 0, 6)
    for room in range(3):
        one(f"room for {room}", 123, 0xF20800, 6 * room + 5, [1, 2, 3][:room], 8, 5)
    one("another namespace", 124, 0xF20800, 18, [], 0, 18)
    one("every bit to 11", 123, 0xFFF000, 45, [1, 2, 3], 0, 0)
    one("undefined bits", 123, 0xF20FFC, 3 * 15, [1, 2, 3], 0, 0)
    for b in range(12):
        words = 2 if 8 <= b <= 10 else 1
        one(f"bit {b} alone", 123, 0x800000 >> b, 3 * words + 1, [1, 2, 3], 0, 1)

    # r2 has an opaque state snapshot.
    run(f"ip -n {NS[2]} ioam schema add 777 opaque12")
    run(f"ip -n {NS[2]} ioam namespace set 123 schema 777")
    path.send(header(123, 0x800002, 40))
    p = path.receive(3)
    got = trace("snapshot", decoded(p), remaining_len=40 - 8) if p else []
    check("snapshot", "nodes", [(n["node_id"], n.get("schema_id"), n.get("snapshot"))
                                for n in got],
          [(0xc11, None, None), (0xc12, 777, b"opaque12".hex()), (0xc13, None, None)])
    run(f"ip -n {NS[2]} ioam namespace set 123 schema none")

    # r2 without IOAM gives a gap in the hop limits.
    sysctl(2, "conf.left.ioam6_enabled=0")
    one("a gap", 123, 0xF20800, 18, [1, 3], 0, 6)
    sysctl(2, "conf.left.ioam6_enabled=1")

    # A queue in r2, of earlier packets.
    run(f"ip netns exec {NS[2]} tc qdisc add dev right root tbf rate 1mbit burst 1600 "
        "latency 5s")
    one("a queue", 123, 0xF20800, 18, [1, 2, 3], 0, 0, queue=2)
    run(f"ip netns exec {NS[2]} tc qdisc del dev right root")

    # rocedump must refuse packets that the kernel drops, and read the others.
    good = header(123, 0xF20800, 18)
    def refused(name, broken, dropped):
        path.send(broken)
        check(name, "dropped by the kernel", path.receive(0.5 if dropped else 3) is None,
              dropped)
        ip = struct.pack(">IHBB", 0x60000000, len(broken) + 8, 0, 64) \
            + socket.inet_pton(socket.AF_INET6, SRC) \
            + socket.inet_pton(socket.AF_INET6, DST)
        j = decoded(path.ether + ip + broken + struct.pack(">HHHH", 1, 9, 8, 0))
        check(name, "refused by rocedump", (j["status"], j.get("at")) != ("ok", None),
              dropped)

    for name, at, value, dropped in (
            ("NodeLen 5", 10, 5 << 3, True), ("NodeLen 7", 10, 7 << 3, True),
            ("RemainingLen 19", 11, 19, True), ("RemainingLen 127", 11, 127, True),
            ("Opt Data Len 79", 5, 79, True), ("Opt Data Len 255", 5, 255, True),
            ("Opt Data Len 9", 5, 9, True), ("another trace type", 12, 0xE2, True),
            ("O is set", 10, 6 << 3 | 4, False), ("Reserved is 0x77", 15, 0x77, False),
            ("Reserved of the option is 0x55", 6, 0x55, False)):
        broken = bytearray(good)
        broken[at] = value
        refused(name, bytes(broken), dropped)
    option, pad = good[4:-4], b"\1\2\0\0"
    for at in range(4):  # start of the option after the header's two bytes
        refused(f"{at} bytes of padding", good[:2] + [b"", b"\0", b"\1\0", b"\1\1\0"][at]
                + option + [b"\1\4\0\0\0\0", b"\1\3\0\0\0", pad, b"\1\1\0"][at],
                at != 2)


try:
    build()
    tests(Path())
finally:
    for ns in NS:
        subprocess.run(["ip", "netns", "del", ns], stderr=subprocess.DEVNULL)
if not bad:
    print(f"ioam_kernel: {os.uname().release} and rocedump agree, {CHECKED} checks")
sys.exit(bad != 0)
