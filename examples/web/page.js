/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * page.js - the two pages, and the fragment with their state:
 *     #tab=packets&hex=0200...      a frame
 *     #tab=curves&algo=hpcc&eta=90  settings that are not the default
 */
(async () => {
  const library = await Library.of(bytesOfBase64($("wasm").textContent.trim()));
  const tabs = ["packets", "curves"];
  let tab = "packets", restoring = true;

  /* Returns true if the frame's hex in the address shows the same, with the page's domain. */
  function fits(frame) {
    return frame.bytes.length <= 512 && frame.link === ETHERNET &&
      frame.domain === undefined && !library.given;
  }

  function keep() {
    if (restoring) return;
    const all = new URLSearchParams({ tab });
    if (tab === "curves") {
      all.set("algo", curves.algo);
      for (const [name, value] of Object.entries(curves.values)) all.set(name, value);
    } else if (packets.frame && fits(packets.frame)) {
      all.set("hex", [...packets.frame.bytes].map((b) => b.toString(16).padStart(2, "0")).join(""));
    }
    history.replaceState(null, "", "#" + all);
  }

  function open(name, focus) {
    tab = name;
    for (const each of tabs) {
      $(each).hidden = each !== name;
      $(`tab-${each}`).setAttribute("aria-selected", each === name);
      $(`tab-${each}`).tabIndex = each === name ? 0 : -1;
    }
    if (name === "curves") curves.draw(); /* at its present width */
    if (focus) $(`tab-${name}`).focus();
    keep();
  }

  function restore() {
    const all = new URLSearchParams(location.hash.slice(1));
    restoring = true;
    if (all.has("hex")) packets.readHex(all.get("hex"));
    else packets.showSamples();
    const field = all.get("field") ?? "";
    const layer = packets.bits?.layers.find((l) => l.fields.has(field));
    if (layer) packets.light(layer.id, field);
    curves.set(all.get("algo"), Object.fromEntries(all));
    open(tabs.includes(all.get("tab")) ? all.get("tab") : "packets");
    restoring = false;
  }

  const packets = new Packets(library, keep);
  const curves = new Curves(library, keep);
  for (const name of tabs) $(`tab-${name}`).addEventListener("click", () => open(name));
  document.querySelector("nav").addEventListener("keydown", (e) => {
    if (e.key === "ArrowRight" || e.key === "ArrowLeft") open(tabs[1 - tabs.indexOf(tab)], true);
  });
  addEventListener("hashchange", restore);
  addEventListener("resize", () => { if (tab === "curves") curves.soon(); });
  restore();
})();
