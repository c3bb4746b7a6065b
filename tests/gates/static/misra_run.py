# SPDX-License-Identifier: BSD-2-Clause
"""misra_run.py ADDON DUMP: runs cppcheck's misra.py on a dump. Debian's 2.10 ends with an
exception in some rules. Here these print `unchecked: RULE`, and the others go on."""
import importlib.util
import os
import sys


def main(addon, dump):
    sys.path.insert(0, os.path.dirname(addon))
    spec = importlib.util.spec_from_file_location("misra", addon)
    misra = importlib.util.module_from_spec(spec)
    sys.modules["misra"] = misra
    spec.loader.exec_module(misra)
    plain = misra.MisraChecker.executeCheck

    def guarded(self, rule, check, *args):
        try:
            plain(self, rule, check, *args)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            print(f"unchecked: {rule // 100}.{rule % 100}", file=sys.stderr)

    misra.MisraChecker.executeCheck = guarded
    sys.argv = [addon, "--no-summary", dump]
    misra.main()
    print("misra: all rules", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
