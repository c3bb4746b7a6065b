#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# deps.sh installs packages for verify, from Debian 12, as root.
set -eu
apt-get update
apt-get install -y --no-install-recommends \
    afl++ bpftool busybox-static ccache chromium clang clang-19 clang-tidy-19 cmake cpio \
    cppcheck cvc4 debhelper doxygen dpkg-dev frama-c-base g++ gcc gcc-12-multilib \
    gcc-aarch64-linux-gnu gcc-arm-linux-gnueabihf gcc-arm-none-eabi gcc-avr \
    gcc-riscv64-linux-gnu gcc-riscv64-unknown-elf gcc-s390x-linux-gnu gnuplot-nox \
    ibverbs-providers ibverbs-utils iproute2 jq kmod libbpf-dev libc6-dev-arm64-cross \
    libc6-dev-armhf-cross libc6-dev-i386 libc6-dev-riscv64-cross libc6-dev-s390x-cross \
    libclang-rt-14-dev libclang-rt-19-dev libdeflate-dev libdpdk-dev libelf-dev libibverbs-dev \
    libisal-dev libmnl-dev libnewlib-arm-none-eabi libns3-dev libpcap-dev libtins-dev lintian \
    linux-libc-dev lld-14 llvm llvm-19 make meson ninja-build nodejs patch perftest \
    picolibc-riscv64-unknown-elf pkg-config python3-clang python3-jsonschema python3-scapy \
    qemu-system-arm qemu-system-misc qemu-system-x86 qemu-user rdma-core tcc tshark valgrind \
    wasi-libc why3 wireshark-dev z3 zlib1g-dev
