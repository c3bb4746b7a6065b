# SPDX-License-Identifier: BSD-2-Clause
# switch.sh OUT PYTHON runs examples/switch from pcap to pcap. Frames, Fast CNPs and records must
# match tests/gates/hosts/switch/packets.py, written from the specifications, byte for byte. WRED
# must follow its line, and tshark checks frames and Fast CNPs that were sent.
set -eu
out=$1 python=$2
gate=hosts-switch
. tests/lib/need.sh
need scapy "$python" -c 'import scapy.all'
need tshark tshark --version
need libpcap sh -c 'echo "#include <pcap/pcap.h>" | cc -E - > /dev/null'
strict="-std=c99 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
 -Wcast-align -Wundef -Wstrict-prototypes -Werror -Iinclude"
# Without an operating system, as for a switch's SDK.
for file in enqueue dequeue; do
    ${CC:-gcc} $strict -O2 -ffreestanding -c "examples/switch/$file.c" -o "$out/$file.o"
done
# A frame's buffer has no spare byte, so that the address sanitizer sees an overrun.
${CC:-gcc} $strict -D_DEFAULT_SOURCE -O1 -g -fsanitize=address,undefined \
    -fno-sanitize-recover=all examples/switch/*.c -lpcap -o "$out/switch"
"$python" tests/gates/hosts/switch/check.py "$out"
sh tests/gates/hosts/switch/tshark.sh "$out"
