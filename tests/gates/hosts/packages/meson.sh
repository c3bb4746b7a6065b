# SPDX-License-Identifier: BSD-2-Clause
# Part of packages.sh: Meson, as a subproject by a wrap, without network, for the headers and for
# the compiled copy.

# built_by_meson WAY DEPENDENCY OPTION...
built_by_meson() {
    way=$1 dependency=$2
    shift 2
    cp -r "$recipes/consumer" "$out/$way"
    sed -i "s/dependency('rocecc'/dependency('$dependency'/" "$out/$way/meson.build"
    mkdir "$out/$way/subprojects/packagefiles"
    cp -r "$recipes/meson" "$out/$way/subprojects/packagefiles/rocecc"
    cp "$out/rocecc.tar.gz" "$out/$way/subprojects/packagefiles"
    quiet meson setup --wrap-mode=forcefallback "$@" "$out/$way/build" "$out/$way"
    quiet ninja -C "$out/$way/build"
    reads "$way" "$out/$way/build/consumer"
}
built_by_meson meson rocecc
built_by_meson meson-compiled rocecc-compiled -Dbuildtype=plain
nm "$out/meson-compiled/build/consumer" | grep -q ' U rocecc_packet_parse' ||
    fail 'meson: the consumer does not take its functions from librocecc'
