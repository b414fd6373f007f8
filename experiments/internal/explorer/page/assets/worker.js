"use strict";
// The simulator in a worker: it is given parts of the program as the page is read, or the compiled program, then the files
// and known times once, then requests.
let parts, compiled;
onmessage = async ({ data }) => {
  if (data.part) {
    if (!parts) {
      const unpacked = new DecompressionStream("gzip");
      parts = unpacked.writable.getWriter();
      compiled = WebAssembly.compileStreaming(new Response(unpacked.readable, { headers: { "content-type": "application/wasm" } }));
    }
    parts.write(bytesOf(data.part));
    return;
  }
  if (data.files) return open(data).catch((e) => postMessage({ ready: true, problem: e.message }));
  const began = performance.now();
  const [json, timeline] = isoscaleAnswer(JSON.stringify(data.request));
  postMessage({ id: data.id, json, timeline, took: performance.now() - began }, timeline ? [timeline.buffer] : []);
};

async function open({ module, files, times }) {
  parts?.close();
  module ??= await compiled;
  postMessage({ module });
  const go = new Go();
  go.run(await WebAssembly.instantiate(module, go.importObject));
  globalThis.isoscaleProgress = (text, share) => postMessage({ progress: { text, share } });
  const flat = (texts) => Object.entries(texts).flat().join("\0");
  isoscaleOpen(flat(files), flat(times));
  postMessage({ ready: true });
}
