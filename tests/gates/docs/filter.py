# SPDX-License-Identifier: BSD-2-Clause
"""filter.py FILE prints a header or a page in the form for Doxygen. Comments are plain C, for
readers of the header itself. Here each comment about a name becomes a Doxygen comment, word for
word. Its indented lines, above all figures, stay as they are drawn. Functions lose their bodies,
because the comments in them are for readers of the code."""
import re
import sys

# Text that Doxygen or Markdown would take as a command.
ORDER = re.compile(r"[\\@<>&#%*\[\]|]|--|::|(?<!\w)_|(?<!\S)\.\.|^[-+](?= )"
                   r"|(?<=^\d)\.|(?<=^\d\d)\.", re.M)
MACRO = re.compile(r"\bROCECC_[A-Z0-9_]*[A-Z0-9]\b(?![_(.])")
ROOM = re.compile(r"(?:\.\./(\w+)/)?\bREADME\.md")
OPENED = re.compile(r"^(typedef \w+ \w+ \{) (/\*.*?\*/)", re.M | re.S)
# An enumeration of 8 bits has a tag and two macros of its own (base.h).
IN_8_BITS = re.compile(r"^typedef enum (\w+)_ \{(.*?)\} ROCECC_IN_8_BITS_\(\1\);",
                       re.M | re.S)
MEMBER = re.compile(r"\bROCECC_ENUM8_\((\w+)\)")
BODY = re.compile(r"^(ROCECC_(?:FN|INLINE) [^{;]*)\{.*?^\}", re.M | re.S)


def names():
    """Returns all public names."""
    with open("tests/gates/api.txt", encoding="utf-8") as lines:
        return {line.split("(")[0].split()[-1].lstrip("*") for line in lines}


def lines_of(comment):
    """Returns the text of a comment without its frame."""
    text = re.sub(r"^/\*+ ?|\s*\*/$", "", comment)
    return [re.sub(r"^\s*\* ?", "", line).rstrip() for line in text.split("\n")]


def as_drawn(drawn):
    if not drawn:
        return []
    margin = min(len(x) - len(x.lstrip()) for x in drawn if x)
    return ["", "@verbatim", *[x[margin:] for x in drawn], "@endverbatim", ""]


class Header:
    def __init__(self, path, known):
        self.name = path[path.rindex("rocecc/"):]
        self.room = path.split("/")[-2]
        self.known = known

    def plain(self, text):
        """Returns a line in which names are links and everything else is plain text."""
        text = ORDER.sub(r"\\\g<0>", text)
        text = ROOM.sub(lambda m: f'@ref md_{m.group(1) or self.room}_README "{m.group()}"',
                        text)
        return MACRO.sub(lambda m: ("#" if m.group() in self.known else "") + m.group(),
                         text)

    def marked(self, comment):
        """Returns paragraphs as text, and indented lines with their blank lines as drawn."""
        out, drawn = [], []
        lines = lines_of(comment)
        for at, line in enumerate(lines):
            later = next((x for x in lines[at:] if x), "")
            if later.startswith("  ") and (line or drawn):
                drawn.append(line)
                continue
            out += as_drawn(drawn) + [self.plain(line)]
            drawn = []
        return "\n".join(out + as_drawn(drawn)).strip()

    def documented(self, comment, before, after):
        """Returns one comment, by the text before and after it."""
        body = self.marked(comment)
        line = before[before.rfind("\n") + 1:]
        if re.match(r"[a-z0-9_]+\.h - ", body):
            body = re.sub(r"^\S+ - ", "", body)
            return f'/** @file\n{body}\n@par\n`#include "{self.name}"`\n*/'
        if line.strip():
            of_a_name = re.match(r" +\w|#define \w+ ", line) and after.startswith("\n")
            return f"/**< @details {' '.join(body.split())} */" if of_a_name else comment
        if comment.startswith("/* SPDX") or not re.match(r"\n *(\w|#define)", after):
            return comment
        return "/**\n" + body + "\n*/"

    def filtered(self, text):
        text = BODY.sub(lambda m: m.group(1).rstrip() + ";", text)
        text = IN_8_BITS.sub(r"typedef enum \1 {\2} \1;", text)
        text = MEMBER.sub(r"\1", text)
        text = OPENED.sub(r"\2\n\1", text)
        out, at = [], 0
        for m in re.finditer(r"/\*.*?\*/", text, re.S):
            out += [text[at:m.start()],
                    self.documented(m.group(), text[:m.start()], text[m.end():])]
            at = m.end()
        return "".join(out) + text[at:]


def page(text):
    """Starts a page with its heading. An IPv6 address in it is not a C++ name."""
    lines = text.split("\n")[1:]
    return "\n".join(line if line.startswith("    ") else line.replace(" ::", " \\::")
                     for line in lines)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    if sys.argv[1].endswith(".md"):
        text = page(text)
    else:
        text = Header(sys.argv[1], names()).filtered(text)
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
