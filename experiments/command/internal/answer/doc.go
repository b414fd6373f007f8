// Package answer has what commands do with an answer that has a report: its flags, the
// files that are written, the text or the JSON that is printed. What is in text and
// report comes from the command and from the answer.
package answer
