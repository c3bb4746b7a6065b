# SPDX-License-Identifier: BSD-2-Clause
# switch.sh OUT PYTHON: examples/switch from pcap to pcap. Frames, Fast CNPs and records
# are judged byte for byte by what tests/gates/hosts/switch/packets.py makes of the
# specifications, WRED by its line, and all that was sent by tshark.
set -eu
out=$1 python=$2
gate=hosts-switch
. tests/lib/need.sh
need scapy "$python" -c 'import scapy.all'
need tshark tshark --version
need libpcap sh -c 'echo "#include <pcap/pcap.h>" | cc -E - > /dev/null'
strict="-std=c99 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow
 -Wcast-align -Wundef -Wstrict-prototypes -Werror -Iinclude"
# Without an operating system: what goes into a switch's SDK.
for file in enqueue dequeue; do
    ${CC:-gcc} $strict -O2 -ffreestanding -c "examples/switch/$file.c" -o "$out/$file.o"
done
# A frame's buffer has no byte more than it needs, and the address sanitizer sees that.
${CC:-gcc} $strict -D_DEFAULT_SOURCE -O1 -g -fsanitize=address,undefined \
    -fno-sanitize-recover=all examples/switch/*.c -lpcap -o "$out/switch"
"$python" tests/gates/hosts/switch/check.py "$out"
sh tests/gates/hosts/switch/tshark.sh "$out"
