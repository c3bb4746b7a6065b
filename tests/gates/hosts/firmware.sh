#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# firmware.sh OUT PYTHON runs examples/firmware in QEMU on Cortex-M4, with code for Cortex-M0+ on
# Cortex-M3, and on RISC-V, and also on the host. The rates must be the same, and match the exact
# models. It also runs rows and traces of vectors/ in QEMU, as many as in the files of NAMES, or of
# all (FULL=1).
set -eu
out=$1 python=$2
gate=hosts-firmware
. tests/lib/need.sh
need gcc-arm-none-eabi arm-none-eabi-gcc -dumpversion
need libnewlib-arm-none-eabi test -e "$(arm-none-eabi-gcc -print-file-name=libc.a 2>&1)"
need gcc-riscv64-unknown-elf riscv64-unknown-elf-gcc -dumpversion
need picolibc-riscv64-unknown-elf test -d /usr/lib/picolibc/riscv64-unknown-elf
need qemu-system-arm qemu-system-arm --version
need qemu-system-misc qemu-system-riscv32 --version
here=tests/gates/hosts/firmware
mkdir -p "$out"

# machine_of TARGET sets its compiler with flags, its board, and its command in QEMU.
machine_of() {
    case $1 in
    cortex-m4) cc="arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb" board=cortex_m
        run="qemu-system-arm -M mps2-an386 -semihosting-config enable=on,target=native" ;;
    cortex-m0+) cc="arm-none-eabi-gcc -mcpu=cortex-m0plus -mthumb" board=cortex_m
        run="qemu-system-arm -M mps2-an385 -semihosting-config enable=on,target=native" ;;
    rv32imac) cc="riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32" board=riscv
        run="qemu-system-riscv32 -M virt -bios none -serial stdio" ;;
    esac
    run="timeout 900 $run -display none -monitor none -kernel"
}

# Embeds every file of vectors as bytes, and the table in which files.c looks them up.
embed() {
    echo '.section .vectors, "a"'
    for f in $vectors; do
        n=$(basename "$f" .vec | tr - _)
        printf 'from_%s: .incbin "%s"\nend_%s:\n' "$n" "$f" "$n"
    done
    printf '.section .rodata\n.balign 4\n.globl embedded_files\nembedded_files:\n'
    for f in $vectors; do
        n=$(basename "$f" .vec | tr - _)
        printf '.word name_%s, from_%s, end_%s\n' "$n" "$n" "$n"
    done
    echo '.word 0, 0, 0'
    for f in $vectors; do
        printf 'name_%s: .asciz "%s"\n' "$(basename "$f" .vec | tr - _)" "$f"
    done
}

# Counts rows and states in the text: lines without indentation, except sources, settings and the
# heads of traces.
count() {
    cat $vectors | sed 's/#.*//' | grep -E '^[^ ]' | grep -cvE '^(source:|config |trace )'
}

# Lists the tests of rows and traces for run.c.
list() {
    awk '/^TEST\(/ { id = $0; gsub(/TEST\(|\)/, "", id) }
        /noun_(frame_)?vectors\(|trace_check\(/ && !seen[id]++ {
            declared = declared "void test_" id "(void);\n"
            rows = rows "    {\"" id "\", test_" id ", 0},\n"
        }
        END { printf "#include \"lib/test.h\"\n%sextern const test tests[];\n" \
            "const test tests[] = {\n%s    {0, 0, 0}};\n", declared, rows }' $files
}

# compile OBJECT SOURCE FLAG...
compile() {
    object=$1 source=$2
    shift 2
    $(command -v ccache || true) $cc $libc -std=gnu99 -ffunction-sections -fdata-sections \
        -Iinclude -Itests -I$here "$@" -c "$source" -o "$object"
    objects="$objects $object"
}

# Runs the tests, with the library in one object, as firmware has it.
vectors() {
    machine_of "$1"
    dir=$out/$1 objects= libc=
    mkdir -p "$dir"
    [ "$board" = cortex_m ] || libc="-specs=picolibc.specs -DPICOLIBC"
    compile "$dir/library.o" tests/lib/library.c -Os
    for source in $here/*.c examples/firmware/$board.c "$out/files.S" "$out/list.c" $files \
        $(ls tests/lib/*.c | grep -vE '/(test|guard|library).c') examples/lib/*.c \
        $(ls examples/cctrace/*.c | grep -v main.c); do
        compile "$dir/$(echo "$source" | tr / -).o" "$source" -O1 -w -DROCECC_FN=inline \
            $( [ "${source%.S}" = "$source" ] && echo -include $here/only.h)
    done
    $cc $libc -nostartfiles -T examples/firmware/$board.ld -Wl,--gc-sections \
        -Wl,--no-warn-rwx-segments \
        -Wl,--wrap=vec_read,--wrap=play_line,--wrap=fopen,--wrap=snprintf $objects -lm \
        -o "$dir/vectors.elf"
    $run "$dir/vectors.elf" > "$dir/vectors.log" 2>&1 < /dev/null || bad=1
    echo "$1: $(tail -n 1 "$dir/vectors.log")"
    grep -qx "$expect passed, 0 failed" "$dir/vectors.log" || bad=1
}

# Freestanding, except four functions from ARM's libc, or on RISC-V from four.c.
example() {
    machine_of "$1"
    dir=$out/$1
    mkdir -p "$dir"
    case $board in
    cortex_m) four= last="-lc_nano -lgcc" ;;
    *) four=examples/firmware/four.c last=-lgcc ;;
    esac
    $cc $warn -Os -ffreestanding -fno-builtin -fno-tree-loop-distribute-patterns \
        -ffunction-sections -isystem include -I"$out" -nostdlib -Wl,--gc-sections \
        -Wl,--no-warn-rwx-segments -T examples/firmware/$board.ld \
        examples/firmware/main.c examples/firmware/reaction.c examples/firmware/$board.c \
        $four $last -o "$dir/example.elf"
    $run "$dir/example.elf" -icount shift=2,sleep=off > "$dir/example.txt" 2>&1 < /dev/null ||
        bad=1
    printed="$printed $dir/example.txt"
    frames=$(${cc%%gcc*}nm -S "$dir/example.elf" | awk '$4 == "sequence" {print $2}')
    set -- "$1" $(${cc%%gcc*}size "$dir/example.elf" | tail -n 1)
    printf '%-12s %7d %7d %7d\n' "$1" $(($2 - 0x$frames)) "$3" "$4" >> "$out/SIZES.txt"
}

warn="-std=gnu99 -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wcast-align -Wundef
    -Wstrict-prototypes"
bad= printed=$out/host.txt
"$python" -B $here/sequence.py make "$out/sequence.h"
cc $warn -O1 -isystem include -I"$out" examples/firmware/main.c examples/firmware/reaction.c \
    examples/firmware/host.c -o "$out/host"
"$out/host" > "$out/host.txt"
targets=${TARGETS:-cortex-m4 cortex-m0+ rv32imac}
echo '# Bytes of the example by size(1), gcc 12 -Os; text without the frames that it is given.' \
    > "$out/SIZES.txt"
printf '%-12s %7s %7s %7s\n' '# machine' text data bss >> "$out/SIZES.txt"
for target in $targets; do example "$target"; done
"$python" -B $here/sequence.py check $printed || exit 1
if [ "${SIZE:-}" = update ]; then cp "$out/SIZES.txt" examples/firmware/SIZES.txt; fi
diff examples/firmware/SIZES.txt "$out/SIZES.txt" ||
    { echo "firmware: sizes differ; if they should: SIZE=update"; bad=1; }

# Prints the test files with stem $1 that read rows or traces.
readers() { ls tests/$1.c tests/*/$1.c 2> /dev/null | grep -vE '^tests/(lib|gates)/' |
    xargs grep -lE 'noun_(frame_)?vectors\(|trace_check\('; }
files= vectors=
for name in ${NAMES:-bth cnp abw dcqcn}; do
    files="$files $(readers "$name")" vectors="$vectors vectors/$name.vec"
done
if [ "${FULL:-}" = 1 ]; then
    files=$(readers '*')
    vectors=$(echo vectors/*.vec)
fi
list > "$out/list.c"
embed > "$out/files.S"
expect=$(count)
echo "firmware: $expect rows and states in the files"
for target in $targets; do vectors "$target"; done
[ -z "$bad" ] || { echo "firmware: not as it should be"; exit 1; }
