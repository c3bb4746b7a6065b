# SPDX-License-Identifier: BSD-2-Clause
# Shared parts of tests/gates/live. Source it with $gate and $dir set, after
# tests/gates/bpf/common.sh, for skip().

# Prints the version of Debian's kernel 6.1, such as 6.1.0-1-amd64.
kernel_version() {
    apt-cache depends linux-image-amd64 2> /dev/null |
        sed -n 's/.*Depends: linux-image-\(6\.1\.[^ ]*\).*/\1/p' | head -n 1
}

# fetch PACKAGE [PATTERN...] unpacks the files of a package that match, or all, to $dir/debian,
# once, without an installation.
fetch() {
    package=$1
    shift
    [ ! -e "$dir/debian/$package" ] || return 0
    rm -rf "$dir/deb"
    mkdir -p "$dir/deb" "$dir/debian"
    (cd "$dir/deb" && apt-get download "$package" > log 2>&1 &&
        dpkg-deb --fsys-tarfile ./*.deb | tar xf - -C ../debian --wildcards "$@") ||
        { cat "$dir/deb/log"; skip "$package cannot be fetched"; }
    rm -rf "$dir/deb"
    touch "$dir/debian/$package"
}

# Fetches the kernel, and module folders with rxe's and the network card's.
fetch_kernel() {
    kernel=$(kernel_version)
    [ -n "$kernel" ] || skip 'no kernel 6.1 in these packages'
    modules=./lib/modules/$kernel
    fetch "linux-image-$kernel" "./boot/vmlinuz-$kernel" "$modules/modules.*" \
        "$modules/kernel/arch/*" "$modules/kernel/crypto/*" "$modules/kernel/lib/*" \
        "$modules/kernel/net/*" "$modules/kernel/drivers/infiniband/*" \
        "$modules/kernel/drivers/net/ethernet/intel/e1000/*"
}

# make_root ROOT PROGRAM... makes the files of a machine: busybox, these programs, their
# libraries, and libibverbs' library for rxe.
make_root() {
    root=$1
    shift
    rm -rf "$root"
    mkdir -p "$root/bin" "$root/sbin" "$root/dev" "$root/proc" "$root/sys" \
        "$root/etc/libibverbs.d"
    for program in "$@"; do
        program=$(command -v "$program")
        cp "$program" "$root/sbin/"
        ldd "$program" | grep -o '/[^ ]*' | while read -r library; do
            mkdir -p "$root${library%/*}"
            cp -L "$library" "$root$library"
        done
    done
    provider=$(ls /usr/lib/*/libibverbs/librxe-*.so)
    mkdir -p "$root${provider%/*}"
    cp "$provider" "$root$provider"
    cp /etc/libibverbs.d/rxe.driver "$root/etc/libibverbs.d/"
    cp "$(command -v busybox)" "$root/bin/busybox"
    for applet in $(busybox --list); do
        [ -e "$root/bin/$applet" ] || ln -s busybox "$root/bin/$applet"
    done
}

# add_modules ROOT NAME... adds modules to a machine. /modules lists them, each after the modules
# that it needs.
add_modules() {
    root=$1
    shift
    depmod -b "$dir/debian" "$kernel"
    for module in "$@"; do
        modprobe -d "$dir/debian" -S "$kernel" --show-depends "$module" |
            sed -n 's/^insmod \([^ ]*\).*/\1/p'
    done | awk '!seen[$0]++' | while read -r path; do
        cp "$path" "$root/"
        echo "/${path##*/}"
    done > "$root/modules"
}

# pack ROOT FILE makes an initramfs.
pack() {
    (cd "$1" && find . | cpio -o -H newc --quiet) > "$2"
}

# boot SECONDS INITRAMFS WORDS [OPTION...] boots $kernel, with WORDS on its command line. The
# console is the standard output.
boot() {
    seconds=$1 initramfs=$2 words=$3
    shift 3
    timeout "$seconds" qemu-system-x86_64 -M q35 -cpu max -m 2048 -nodefaults \
        -display none -no-reboot -serial stdio -initrd "$initramfs" \
        -kernel "$dir/debian/boot/vmlinuz-$kernel" "$@" \
        -append "console=ttyS0 quiet mitigations=off panic=-1 $words" < /dev/null 2>&1
}
