# SPDX-License-Identifier: BSD-2-Clause
# Part of packages.sh: CMake's own installation, and FetchContent, without network.

quiet cmake -S "$recipes/cmake" -B "$out/cmake" -DCMAKE_INSTALL_PREFIX="$out/installed"
quiet cmake --install "$out/cmake"
(cd "$out/installed/include" && find . -type f | sed 's|^./||' | LC_ALL=C sort) |
    cmp - "$out/headers" || fail 'CMake installs other headers than the tree has'
built_by_cmake find_package -DCMAKE_PREFIX_PATH="$out/installed"
refused_by_cmake 0.3 -DCMAKE_PREFIX_PATH="$out/installed"
built_by_cmake FetchContent -DROCECC_URL="file://$out/rocecc.tar.gz"
