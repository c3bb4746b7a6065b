#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# deps.sh: installs what verify needs, from Debian 12, as root.
set -eu
apt-get update
apt-get install -y --no-install-recommends gcc g++ make clang clang-19 libclang-rt-14-dev llvm afl++ frama-c-base why3 z3 cvc4 \
    patch jq gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user gcc-12-multilib \
    libc6-dev-i386 linux-libc-dev bpftool python3-clang python3-scapy libpcap-dev \
    zlib1g-dev tshark valgrind iproute2 gnuplot-nox ccache llvm-19 libclang-rt-19-dev \
    qemu-system-x86 cpio libbpf-dev libelf-dev gcc-arm-none-eabi gcc-riscv64-unknown-elf \
    gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-riscv64-linux-gnu libc6-dev- \
    riscv64-cross pkg-config libisal-dev libdeflate-dev libdpdk-dev libtins-dev \
    python3-jsonschema busybox-static kmod rdma-core ibverbs-providers ibverbs-utils \
    perftest libibverbs-dev libmnl-dev cmake meson ninja-build dpkg-dev debhelper \
    lintian wireshark-dev libns3-dev nodejs chromium wasi-libc lld-14 doxygen qemu- \
    system-arm qemu-system-misc libnewlib-arm-none-eabi picolibc-riscv64-unknown-elf \
    clang-tidy-19 cppcheck gcc-arm-linux-gnueabihf libc6-dev-armhf-cross gcc-avr tcc
