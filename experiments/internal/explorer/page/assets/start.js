"use strict";
// Starts the simulator before the rest of the page is read. The page then hands it the program in parts.
const bytesOf = (text) => (Uint8Array.fromBase64 ? Uint8Array.fromBase64(text) : Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
const WORKER = URL.createObjectURL(new Blob([document.currentScript.previousElementSibling.textContent], { type: "text/javascript" }));
const FIRST = new Worker(WORKER);
FIRST.postMessage({ bytes: PROGRAM_BYTES });
const isoscalePart = () => {
  const part = bytesOf(document.currentScript.previousElementSibling.textContent);
  FIRST.postMessage({ part }, [part.buffer]);
};
