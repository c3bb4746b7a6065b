/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * drive.js: the gate puts it after the page's scripts. It drops a capture, chooses fields,
 * presses keys, and moves sliders. Then it writes the page's contents for browser.js.
 */
addEventListener("load", async () => {
  const seen = {};
  const later = () => new Promise((done) => setTimeout(done, 60));
  const texts = (selector) => [...document.querySelectorAll(selector)].map((e) => e.textContent);
  const until = async (good) => { for (let i = 0; i < 200 && !good(); i++) await later(); };
  await until(() => texts(".frame").length > 0);
  seen.samples = texts(".frame").length;

  const drop = (...files) => {
    const transfer = new DataTransfer();
    for (const file of files) transfer.items.add(file);
    $("drop").dispatchEvent(new DragEvent("drop", { bubbles: true, dataTransfer: transfer }));
  };
  const capture = new File([bytesOfBase64($("sample-frame").textContent.trim())], "frame.pcap");
  drop(capture);
  await until(() => $("note").textContent.startsWith("frame.pcap"));
  seen.dropped = $("note").textContent;
  for (let i = 0; i < 8; i++) $("frames").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown" }));
  seen.chosen = document.querySelector('.frame[aria-selected="true"] span').textContent;
  seen.verdict = texts("#verdict b")[0];
  seen.layers = texts(".layer h3");
  seen.rows = [...document.querySelectorAll(".row")].map((e) => [e.dataset.path, e.lastChild.textContent]);
  document.querySelector('.row[data-path="bth.dest_qp"]').click();
  seen.lit = [...document.querySelectorAll("#bytes .lit")].map((e) => [e.id, e.textContent]);
  seen.cells = [...document.querySelectorAll("#figure .lit")].map((e) => e.dataset.path);
  seen.field = $("field").textContent;
  $("hex").value = "00".repeat(65000); /* more than a call's arguments may be */
  $("read").click();
  seen.long = document.querySelectorAll("#bytes span").length;
  for (const hex of ["zz", "00"]) {
    $("hex").value = hex;
    $("read").click();
    seen[`hex ${hex}`] = $("note").textContent;
  }

  /* A domain file with a capture, an invalid one without, none, and comments of a section. */
  const textOf = (line) => `# The domain of a network\n${line}\n`;
  const domain = (name, line) => new File([textOf(line)], name);
  const section = (name, line) => {
    const text = textOf(line).padEnd(64, "\n");
    const words = [0x0a0d0d0a, 96, 0x1a2b3c4d, 1, ~0, ~0, text.length << 16 | 1];
    return new File([new Uint32Array(words), text, new Uint32Array([96])], name);
  };
  const state = () => ({ domain: $("domain").hidden ? "" : $("domain").querySelector("span").textContent,
    note: $("note").textContent, layers: texts(".layer h3"), hex: location.hash.includes("hex=") });
  drop(domain("net.domain", "rocev2_port=4000"), capture);
  await until(() => $("note").textContent.startsWith("frame.pcap"));
  seen.given = state();
  drop(domain("bad.domain", "ah=2"));
  await until(() => $("note").textContent.includes("bad.domain"));
  seen.bad = state();
  $("domain").querySelector("button").click();
  seen.removed = state();
  for (const name of ["good", "wrong"]) {
    drop(section(`${name}.pcapng`, name === "good" ? "ah=1" : "ah=2"));
    await until(() => $("note").textContent.startsWith(name));
    seen[name] = $("note").textContent;
  }

  $("tab-curves").click();
  seen.curves = {};
  for (const algo of ALGOS) {
    document.querySelector(`[data-algo="${algo}"]`).click();
    $("cursor").value = 100;
    $("cursor").dispatchEvent(new Event("input"));
    seen.curves[algo] = texts("#numbers td");
  }
  $("set-flows").value = 2;
  $("set-flows").dispatchEvent(new Event("input"));
  await until(() => document.querySelectorAll("#rate path").length === 2);
  seen.paths = document.querySelectorAll("#rate path").length;
  seen.hash = location.hash;
  seen.wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  document.body.append(make("pre", { id: "seen" }, JSON.stringify(seen)));
});
