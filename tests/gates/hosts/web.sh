#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# web.sh OUT PYTHON builds examples/web, and compares its page: frames with rocedump, curves with
# the same C on this machine and with the exact models, lit bits with the specifications. Then it
# runs the page in Chromium, without a network.
set -eu
out=$1 python=$2
gate=hosts-web
. tests/lib/need.sh
need 'clang 14' clang-14 --version
need 'lld 14' wasm-ld-14 --version
need wasi-libc test -r /usr/lib/wasm32-wasi/libc.a
need node node --version
need chromium chromium --version
rm -rf "$out/kinds"
mkdir -p "$out/kinds"

sh examples/web/build.sh "$out"
${MAKE:-make} -s --no-print-directory "OUT=$out" "$out/rocedump"
"$python" -B tests/tools/rocedump/captures.py "$out/kinds" > /dev/null
cc -std=c99 -O2 -Iinclude tests/gates/hosts/web/curves.c examples/web/curves.c \
    examples/web/steps.c examples/web/settings.c -o "$out/curves-native"
node tests/gates/hosts/web/check.js "$out" .
"$python" -B tests/gates/hosts/web/model.py "$out/curves-native"

# Opens only the page. Its own policy refuses a resource from elsewhere, and names are not
# resolved. A line of the console is a failure.
here=$(cd "$out" && pwd)
browse() {
    file=$1
    shift
    HOME=$here chromium --headless --no-sandbox --disable-gpu --hide-scrollbars \
        --enable-logging=stderr --host-resolver-rules='MAP * ~NOTFOUND' \
        --user-data-dir="$here/profile" --virtual-time-budget=20000 "$@" \
        "file://$here/$file" 2> "$out/log"
    ! grep CONSOLE "$out/log" >&2 || { echo 'web: the console says something' >&2; exit 1; }
}
{
    cat "$out/index.html"
    echo '<script>'
    cat tests/gates/hosts/web/drive.js
    echo '</script>'
} > "$out/drive.html"
browse drive.html --window-size=1280,800 --dump-dom > "$out/driven.html"
node tests/gates/hosts/web/browser.js "$out"
shot() {
    name=$1 size=$2 fragment=$3
    shift 3
    rm -f "$out/$name.png"
    browse "index.html#$fragment" --window-size="$size" --screenshot="$here/$name.png" "$@"
    test -s "$out/$name.png"
}
field='tab=packets&field=fastcnp.ioam.nodes[1].queue_depth'
dark=--blink-settings=preferredColorScheme=0
shot packets 1280,800 "$field"
shot packets-dark 1280,800 "$field" "$dark"
shot packets-narrow 500,1400 "$field"
shot curves 1280,800 'tab=curves'
shot curves-dark 1280,800 'tab=curves&algo=hpcc' "$dark"
shot curves-narrow 500,1400 'tab=curves&algo=ldcp'
echo "web: $(wc -c < "$out/index.html") bytes of page, six pictures in $out"
