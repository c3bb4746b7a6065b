#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""members.py [--write]: compares each row of include/rocecc/fields/ with the struct member
that it describes. The `about` of a row is the member's comment up to the first semicolon,
and "" for a member without a comment. --write copies the comments into the rows. A table
describes the struct with all of its members, and with the longest name that the table's
name begins with if there are several. The tables of OWN_TEXTS describe a struct of the
caller, and have their own texts."""
import pathlib
import re
import sys

INCLUDE = pathlib.Path("include/rocecc")
OWN_TEXTS = ("INTMD_NODE", "IOAM_NODE")
STRUCT = re.compile(r"^typedef (?:struct|union) \w+ \{\n(.*?)^\} (\w+);", re.M | re.S)
MEMBER = re.compile(r"([^;{}]+);((?:[ \t]*/\*.*?\*/)?)", re.S)
COMMENT = re.compile(r"/\*.*?\*/", re.S)
TABLE = re.compile(r"^#define ROCECC_(\w+?)_(?:FIELDS|VALUES)\(F, T\)(?:.*\\\n)*.*", re.M)
ROW = re.compile(r'F\(T, \w+, ([\w.\[\]]+),(?:[^"()]|"[^"]*")*?,[\s\\]*((?:"[^"]*"[\s\\]*)+)\)')


def structs():
    """Returns the members of each struct, with the words of their declaration and their comment."""
    out = {}
    for path in sorted(INCLUDE.glob("**/*.h")):
        for body, struct in STRUCT.findall(path.read_text(encoding="utf-8")):
            members = out.setdefault(struct, {})
            for declared, comment in MEMBER.findall(body):
                words = re.findall(r"\w+", COMMENT.sub("", declared))
                for member in re.findall(r"(\w+)(?:\[[^\]]*\])*\s*(?:,|$)", COMMENT.sub("", declared)):
                    members[member] = words, comment
    return out


def comment_of(all_structs, struct, path):
    """Returns the comment of a member such as `vlan[0].tpid`, or None without such a member."""
    words, comment = [struct], None
    for part in re.sub(r"\[\d+\]", "", path).split("."):
        inside = next((all_structs[w] for w in words if w in all_structs), {})
        if part not in inside:
            return None
        words, comment = inside[part]
    return comment


def owner(all_structs, table, paths):
    fits = [s for s in all_structs
            if all(comment_of(all_structs, s, path) is not None for path in paths)]
    return min(fits, key=lambda s: (not f"rocecc_{table.lower()}_".startswith(s + "_"), -len(s), s),
               default=None)


def about_of(comment):
    text = re.sub(r"^\s*/\*|\*/\s*$|^\s*\*", "", comment, flags=re.M)
    return " ".join(text.split()).partition(";")[0].rstrip(".")


def check_table(all_structs, path, table, write):
    """Returns the table as it should be. Without `write`, prints each row with another text than
    its member."""
    text, name = table[0], table[1]
    rows = list(ROW.finditer(text))
    assert len(rows) == text.count("F(T, "), f"{path}: {name} has a row of another form"
    struct = owner(all_structs, name, [row[1] for row in rows])
    assert (struct is None) == (name in OWN_TEXTS), f"{path}: {name}: no struct has these members"
    for row in reversed(rows if struct else []):
        said = "".join(re.findall(r'"([^"]*)"', row[2]))
        about = about_of(comment_of(all_structs, struct, row[1]))
        if said != about and not write:
            print(f'{path}: {name}: {row[1]}: "{said}", and {struct} has "{about}"')
        text = text[:row.start(2)] + f'"{about}"' + text[row.end(2):]
    return text


def main(*options):
    write, all_structs, wrong = "--write" in options, structs(), False
    for path in sorted((INCLUDE / "fields").glob("*.h")):
        text = path.read_text(encoding="utf-8")
        right = TABLE.sub(lambda t, p=path: check_table(all_structs, p, t, write), text)
        wrong |= right.split() != text.split()
        if write and right != text:
            path.write_text(right, encoding="utf-8")
    return 1 if wrong and not write else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
