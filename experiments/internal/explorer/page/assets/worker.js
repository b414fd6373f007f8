"use strict";
// The simulator in a worker. It receives the program, in parts as the page is read or compiled, then the files and the
// known times once, then requests.
let parts, program;
onmessage = async ({ data }) => {
  if (data.bytes) {
    const gzip = new DecompressionStream("gzip");
    parts = gzip.writable.getWriter();
    program = unpacked(gzip.readable.getReader(), new Uint8Array(data.bytes));
    return;
  }
  if (data.part) return void parts.write(data.part);
  if (data.files) return open(data).catch((e) => postMessage({ ready: true, problem: e.message }));
  const began = performance.now();
  const [json, timeline] = isoscaleAnswer(JSON.stringify(data.request));
  postMessage({ id: data.id, json, timeline, took: performance.now() - began }, timeline ? [timeline.buffer] : []);
};

// unpacked reads the program into memory of its size. Handing the stream to compileStreaming takes three times as long.
async function unpacked(from, all) {
  for (let at = 0, next; !(next = await from.read()).done; at += next.value.length) all.set(next.value, at);
  return all;
}

async function open({ module, files, times }) {
  parts?.close();
  module ??= await WebAssembly.compile(await program);
  postMessage({ module });
  const go = new Go();
  go.run(await WebAssembly.instantiate(module, go.importObject));
  globalThis.isoscaleProgress = (text, share) => postMessage({ progress: { text, share } });
  const flat = (texts) => Object.entries(texts).flat().join("\0");
  isoscaleOpen(flat(files), flat(times));
  postMessage({ ready: true });
}
