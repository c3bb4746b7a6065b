# SPDX-License-Identifier: BSD-2-Clause
"""Compares tshark's output of rocecc with rocedump --json, and with the bytes."""
import ipaddress
import pathlib
import re
import struct


def frames(path):
    """Returns the packets of a pcap in little endian: (bytes, length on the wire)."""
    data, at, out = pathlib.Path(path).read_bytes(), 24, []
    while at < len(data):
        n, whole = struct.unpack_from("<II", data, at + 8)
        out.append((data[at + 16:at + 16 + n], whole))
        at += 16 + n
    return out


def write(path, packets, link=1):
    """Writes a pcap of (time in us, bytes, length on the wire)."""
    with open(path, "wb") as f:
        f.write(struct.pack("<IHHIIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, link))
        for us, packet, n in packets:
            f.write(struct.pack("<IIII", us // 1000000, us % 1000000, len(packet), n))
            f.write(packet)


def block(kind, body):
    """Returns a block of pcapng."""
    body += bytes(-len(body) % 4)
    return struct.pack("<II", kind, 12 + len(body)) + body + struct.pack("<I", 12 + len(body))


def write_pcapng(path, sections):
    """Writes a pcapng of sections. Each one is (interfaces, packets), and each packet is
    (interface, time in us, bytes)."""
    with open(path, "wb") as f:
        for interfaces, packets in sections:
            f.write(block(0x0a0d0d0a, struct.pack("<IHHq", 0x1a2b3c4d, 1, 0, -1)))
            f.write(interfaces * block(1, struct.pack("<HHI", 1, 0, 0)))
            for interface, us, packet in packets:
                n = len(packet)
                f.write(block(6, struct.pack("<IIIII", interface, 0, us, n, n) + packet))


# ---- both in one form: a list of packets (status, at, layers), outermost first, with layers
# (name, members), and nodes as a list of members

def of_members(given):
    """Returns members of JSON with a value, in order. A list has a row for each value. Wireshark
    does not show a sampled or quoted packet."""
    rows = []
    for name, value in given.items():
        if value is None or value == "" or name == "inner":
            continue
        if name == "nodes":
            rows += [("node", of_members(node)) for node in value]
        elif isinstance(value, dict):
            rows.append((name, of_members(value)))
        elif isinstance(value, list):
            rows += [(name, one) for one in value]
        else:
            rows.append((re.sub(r"[][]", "", name), value))
    return rows


def of_json(packet):
    out = []
    while packet is not None:
        seen, layers = {}, []
        for name in packet["stack"]:
            value = packet[name]
            if isinstance(value, list):
                value = value[seen.setdefault(name, 0)]
                seen[name] += 1
            layers.append((name, of_members(value)))
        out.append((packet["status"], packet.get("at"), layers))
        packet = packet.get("inner")
    return out


def of_fields(element, prefix, placed):
    """Returns the plugin's fields below a field of tshark, without rocecc.asks."""
    rows = []
    for field in element:
        name = field.get("name")
        if not name.startswith("rocecc.") or name == "rocecc.asks":
            continue
        last = name[len(prefix):] if name.startswith(prefix) else name[len("rocecc."):]
        if len(field) and any(f.get("name").startswith("rocecc.") for f in field):
            node = last == "nodes"
            if node:
                placed.append(field)
            rows.append(("node" if node else last, of_fields(field, name + ".", placed)))
        else:
            rows.append((last, field.get("show")))
            placed.append(field)
    return rows


def of_pdml(proto, placed):
    out, level = [], proto
    while level is not None:
        status = at = inner = None
        layers = []
        for field in level:
            name = field.get("name")
            if name == "rocecc.status":
                status = field.get("show")
            elif name == "rocecc.at":
                at = field.get("show")
            elif name == "rocecc.inner":
                inner = field
            elif name.startswith("rocecc."):
                rows = of_fields(field, name + ".", placed)
                layers.append((name[len("rocecc."):], rows))
        out.append((status, at, layers))
        level = inner
    return out


# ---- comparison

def address(text):
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def equal(value, shown):
    """Compares a value of JSON with tshark's text."""
    if isinstance(value, list):
        return isinstance(shown, list) and not differences(value, shown)
    if isinstance(shown, list):
        return False
    if isinstance(value, bool):
        return shown == str(int(value))
    if isinstance(value, int):
        return re.fullmatch(r"-?\d+", shown) is not None and int(shown) == value
    if value == shown or shown.replace(":", "") == value:
        return True
    if re.fullmatch(r"0x[0-9a-f]{16}", shown):
        return shown[2:] == value
    return address(value) is not None and address(value) == address(shown)


def differences(rows, shown):
    """Returns a line for the first difference of two lists of (name, value)."""
    for i in range(max(len(rows), len(shown))):
        if i == len(rows) or i == len(shown):
            extra = (rows + shown)[i:] if i == len(rows) else rows[i:]
            return [f"{'invented' if i == len(rows) else 'lost'}: {extra[0]}"]
        if rows[i][0] != shown[i][0] or not equal(rows[i][1], shown[i][1]):
            return [f"{rows[i]} is {shown[i]}"]
    return []


def compare(packets, shown):
    """Returns [], or how a frame in tshark differs from rocedump's."""
    if len(packets) != len(shown):
        return [f"{len(packets)} packets in it, and {len(shown)} are shown"]
    for (status, at, layers), (status2, at2, layers2) in zip(packets, shown):
        if (status, at) != (status2, at2):
            return [f"{status} at {at} is {status2} at {at2}"]
        names, names2 = [[name for name, _ in l] for l in (layers, layers2)]
        if names != names2:
            return [f"{names} is {names2}"]
        for (name, rows), (_, rows2) in zip(layers, layers2):
            wrong = differences(rows, rows2)
            if wrong:
                return [f"{name}: {wrong[0]}"]
    return []


# ---- the places

def bits_of(field, frame):
    """Returns the bits at a field's place in its frame."""
    at, n = int(field.get("pos")), int(field.get("size"))
    mask = re.match(r"([01. ]+) = ", field.get("showname") or "")
    text = "".join(f"{b:08b}" for b in frame[at:at + n])
    if mask is None:
        return text
    mask = mask[1].replace(" ", "")
    assert len(mask) == len(text), (field.get("name"), mask, n)
    return "".join(bit for bit, of in zip(text, mask) if of != ".")


def misplaced_node(field, frame):
    """Returns whether a node's place is wrong, by the ID in its first word, or None without it."""
    values = {f.get("name")[len(field.get("name")) + 1:]: f.get("show") for f in field}
    at = int(field.get("pos"))
    word = int.from_bytes(frame[at:at + 4], "big")
    if "device_id" in values:
        word = word >> 8 & 0xfffff if values["layout"] == "a" else word & 0xfffffff
        return word != int(values["device_id"])
    if "node_id" not in values:
        return None
    return word & (0xffffff if "ioam" in field.get("name") else 0xffffffff) != int(
        values["node_id"])


def misplaced(field, frame):
    """Returns whether the bits at a field's place are not its value, or None if it has no place,
    or is a word."""
    shown, n = field.get("show"), int(field.get("size"))
    if n == 0:
        return None
    if field.get("name").endswith(".nodes"):
        return misplaced_node(field, frame)
    bits = bits_of(field, frame)
    if shown in ("0", "1") or re.fullmatch(r"-?\d+|0x[0-9a-f]+", shown):
        return int(shown, 0) % (1 << len(bits)) != int(bits, 2)
    if re.fullmatch(r"([0-9a-f]{2}:)*[0-9a-f]{2}", shown):
        return shown.replace(":", "") != f"{int(bits, 2):0{len(bits) // 4}x}"
    if address(shown) is not None:
        return int(address(shown)) != int(bits, 2)
    return None
