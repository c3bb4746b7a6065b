# SPDX-License-Identifier: BSD-2-Clause
"""check.py DOCS checks that the reference in DOCS has the headers' text, word for word, and that
all of its links lead somewhere. If there are errors, it prints them and ends with 1."""
import html
import pathlib
import re
import subprocess
import sys
import urllib.parse

INCLUDE = pathlib.Path("include/rocecc")
PAGES = sorted(pathlib.Path("examples/docs").glob("*.md"))
# Words of a description that name a status or its source.
STATUS = re.compile(r"SHORT|FORMAT|UNSUPPORTED|RANGE|SPACE|NO_MATCH|\bEND\b|\bOK\b"
                    r"|[Ss]tatus of|[Aa]s rocecc_|as arn_")
FUNCTION = re.compile(r"(/\*(?:[^*]|\*(?!/))*\*/\n)?ROCECC_(?:FN|INLINE) [^{;]*?\b(\w+)\(")
wrong = []


def check(right, what):
    if not right:
        wrong.append(what)


def words(text):
    return re.findall(r"\w+", text)


def shown(fragment):
    """Returns the text that a reader sees in some HTML."""
    return html.unescape(re.sub(r"<[^>]*>", "", fragment))


def page_of(docs, header):
    """Returns the page of a header. Doxygen names it by as much of the path as necessary."""
    name = header.replace("_", "__").replace(".", "_8")
    for candidate in (name.split("/")[-1], name.replace("/", "_2")):
        path = docs / (candidate + ".html")
        if path.exists():
            return path.read_text(encoding="utf-8")
    return ""


def described(page):
    """Returns the description of each function on a page."""
    out = {}
    for part in page.split('<h2 class="memtitle">')[1:]:
        title, _, rest = part.partition("</h2>")
        doc = rest.partition('<div class="memdoc">')[2].split("\n</div>\n</div>")[0]
        name = re.search(r"(\w+)\(\)", shown(title))
        if name:
            out[name.group(1)] = shown(doc)
    return out


def comments_of(header):
    """Returns the comment of each function in a header."""
    text = (INCLUDE / header).read_text(encoding="utf-8")
    return {m.group(2): " ".join(re.sub(r"^/\*|\*/$|^ \*", "", m.group(1) or "",
                                        flags=re.M).split())
            for m in FUNCTION.finditer(text)}


def check_statuses(api, answers):
    """A function that can fail must say when."""
    for name in (n for n in api if answers[n].startswith("rocecc_status ")):
        check(STATUS.search(comments_of(api[name])[name]),
              f"{api[name]}: {name} does not say when it fails")


def check_functions(docs, api):
    for header in sorted(set(api.values())):
        page = described(page_of(docs, header))
        said = comments_of(header)
        for name in (n for n in api if api[n] == header):
            check(len(words(said.get(name, ""))) > 2, f"{header}: {name} has no description")
            check(words(page.get(name, "")) == words(said.get(name, "")),
                  f"{header}: the page has other words of {name} than the header")


def check_figures(docs, headers):
    """Checks each indented line in each header's file comment."""
    for header in headers:
        head = (INCLUDE / header).read_text(encoding="utf-8").split("*/")[1]
        seen = {line.strip() for line in shown(page_of(docs, header)).split("\n")}
        for line in re.findall(r"^ \*  +(.*)", head, re.M):
            check(line.strip() in seen, f"{header}: the page lacks the line {line!r}")


def check_words(docs, headers):
    """Checks each header's file comment, and comments in its structs, enums and macros."""
    for header in headers:
        text = (INCLUDE / header).read_text(encoding="utf-8")
        head = re.sub(r"^ \*", "", text.split("*/")[1], flags=re.M).partition(" - ")[2]
        inside = re.findall(r"^typedef (?:struct|enum) \w+[^_] {.*?^}", text, re.M | re.S)
        said = [head] + re.findall(r"/\*(.*?)\*/", "".join(inside), re.S)
        said += re.findall(r"^#define (?!ROCECC_FN |\w+_ )\w+ [^\n]*?/\*(.*?)\*/",
                           text, re.M | re.S)
        seen = " ".join(words(shown(page_of(docs, header))))
        for comment in said:
            check(" ".join(words(comment)) in seen,
                  f"{header}: the page lacks the words {' '.join(words(comment))[:60]!r}")


def check_links(docs):
    pages = {p.name: p.read_text(encoding="utf-8") for p in docs.glob("*.html")}
    ids = {name: set(re.findall(r'(?:id|name)="([^"]+)"', text))
           for name, text in pages.items()}
    count = 0
    for name, text in pages.items():
        for link in re.findall(r'(?:href|src)="([^"]+)"', text):
            link = urllib.parse.unquote(html.unescape(link))
            if re.match(r"https?:|javascript:|data:", link):
                continue
            file, _, anchor = link.partition("#")
            count += 1
            check((docs / (file or name)).exists(), f"{name}: a link to {file}, which is not")
            if anchor and (file or name) in ids:
                check(anchor in ids[file or name], f"{name}: a link to {link}, which is not")
    return count


def check_pages(docs, api):
    """Every function on a page must exist, and be a link in which.md."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for name in set(re.findall(r"\b(rocecc_\w+)\(\)", text)):
            check(name in api, f"{page.name}: there is no {name}()")
    text = (docs / "md_docs_which.html").read_text(encoding="utf-8")
    plain = re.sub(r"<a .*?</a>", "", text)
    for name in re.findall(r"\brocecc_\w+\(\)", plain):
        check(False, f"which.md: {name} leads nowhere")


def check_search(docs, api):
    """The search box, which is JavaScript beside the pages, must know every function."""
    index = "".join(p.read_text(encoding="utf-8") for p in (docs / "search").glob("*.js"))
    known = set(re.findall(r"\w+", index))
    for name in api:
        check(name in known, f"the search does not know {name}()")


def check_roles():
    """The pages must name each header of these folders, and its verdicts and learnings."""
    text = "".join(p.read_text(encoding="utf-8") for p in PAGES)
    for path in sorted(p for room in ("role", "telemetry") for p in (INCLUDE / room).glob("*.h")):
        code = path.read_text(encoding="utf-8")
        header = f"{path.parent.name}/{path.name}"
        check(header in text, f"{header} has no page")
        for body in re.findall(r"typedef enum \w+(?:_verdict|_learning)_? \{(.*?)\}", code,
                               re.S):
            body = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
            for name in re.findall(r"\bROCECC_\w+", body):
                check(re.search(name + r"\b", text) or
                      name.endswith(("_VERDICTS", "_LEARNINGS")),
                      f"{header}: no page explains {name}")


def check_algorithms():
    """Each algorithm's header must be in which.md and in a table of its folder's README."""
    table = '#include "rocecc/fields/algorithms.h"\n' \
            '#define ROW(NAME, name, trace, header, enums) @header\nROCECC_ALGORITHMS(ROW)\n'
    text = subprocess.run(["gcc", "-E", "-std=c99", "-Iinclude", "-"], input=table, check=True,
                          capture_output=True, text=True).stdout
    headers = re.findall(r'@"(.*?)"', text)
    check(headers, "the table of algorithms has no rows")
    which = (PAGES[0].parent / "which.md").read_text(encoding="utf-8")
    for header in headers:
        room, name = header.split("/")
        page = (INCLUDE / room / "README.md").read_text(encoding="utf-8")
        check(re.search(rf"[ |]{header}[ ,]", which), f"{header} is not in which.md")
        check(re.search(rf"^\|.*`{name}`", page, re.M), f"{header} is not in {room}/README.md")


def main():
    docs = pathlib.Path(sys.argv[1])
    lines = pathlib.Path("tests/gates/api.txt").read_text(encoding="utf-8").split("\n")
    declared = [line.split(": ", 1) for line in lines if "(" in line]
    api = {re.search(r"(\w+)\(", what).group(1): header for header, what in declared}
    answers = {re.search(r"(\w+)\(", what).group(1): what for _, what in declared}
    check_functions(docs, api)
    check_statuses(api, answers)
    check_figures(docs, sorted(set(api.values())))
    check_words(docs, sorted(set(api.values())))
    check_pages(docs, api)
    check_search(docs, api)
    check_roles()
    check_algorithms()
    links = check_links(docs)
    for what in wrong:
        print("docs:", what)
    if not wrong:
        print(f"docs: {len(api)} functions, {links} links and {len(PAGES)} pages are right")
    return len(wrong) > 0


if __name__ == "__main__":
    sys.exit(main())
