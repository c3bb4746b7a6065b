# SPDX-License-Identifier: BSD-2-Clause
# at.sh - how machine 2 has machine 1 do something; sourced there, once both are up.
one=192.0.2.1

at() { # at SCRIPT: in machine 1
    echo "$1" | nc "$one" 7000
}

until at 'echo yes' 2> /dev/null | grep -q yes; do
    usleep 200000
done
