"use strict";
// The simulator in a worker: it is given the compiled program, the files and known times once,
// then requests.
onmessage = async ({ data }) => {
  if (data.module) {
    const go = new Go();
    go.run(await WebAssembly.instantiate(data.module, go.importObject));
    globalThis.isoscaleProgress = (text, share) => postMessage({ progress: { text, share } });
    const problem = isoscaleOpen(JSON.stringify(data.files), JSON.stringify(data.times));
    postMessage({ ready: true, problem });
    return;
  }
  const began = performance.now();
  const [json, timeline] = isoscaleAnswer(JSON.stringify(data.request));
  postMessage({ id: data.id, json, timeline, took: performance.now() - began }, timeline ? [timeline.buffer] : []);
};
