#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# wireshark.sh OUT PYTHON builds the plugin, and runs it in tshark of Debian 12, not as root,
# because root's tshark loads no plugins of a home.
set -eu
out=$1 python=$2
gate=hosts-wireshark
. tests/lib/need.sh
need wireshark-dev pkg-config --exists wireshark
need tshark command -v tshark
need setpriv command -v setpriv
[ -z "${FULL:-}" ] || need valgrind command -v valgrind
need libpcap sh -c "echo '#include <pcap/pcap.h>' | ${CC:-cc} -E -"

make -s OUT="$out" "$out/rocedump"
make -s -C examples/wireshark OUT="$PWD/$out/plugin"

# A home that its owner can write and everybody can read, because build/ may be root's.
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$home/.local/lib/wireshark/plugins/4.0/epan"
cp "$out/plugin/rocecc.so" "$home/.local/lib/wireshark/plugins/4.0/epan"
cp vectors/pcap/*.pcap "$home"
cp "$out/rocedump" "$home"
chmod -R a+rX "$home"
cat > "$home/nobody" << END
#!/bin/sh
# What follows, as nobody, with this home.
export HOME=$home
[ \$(id -u) != 0 ] || exec setpriv --reuid=65534 --regid=65534 --clear-groups "\$@"
exec "\$@"
END
chmod a+rx "$home/nobody"
PYTHONPATH=tests/gates/hosts/wireshark "$python" -B tests/gates/hosts/wireshark/check.py "$home" fuzz/corpus
