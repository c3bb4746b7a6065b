# SPDX-License-Identifier: BSD-2-Clause
# at.sh - machine 2 sources it to run scripts in machine 1, once both are up.
one=192.0.2.1

at() { # at SCRIPT, in machine 1
    echo "$1" | nc "$one" 7000
}

until at 'echo yes' 2> /dev/null | grep -q yes; do
    usleep 200000
done
