// Package document opens the documents that a command reads and that these name:
// files on disk, texts where there is no file system, or files that were read before.
//
// What it is. A [Reader] is a decoder that opens documents by name, applies what a user
// sets in them, and remembers each with its hash as an input of the result. A
// [Library] holds the documents that the scenarios of a study name, each read once,
// and what was made of them.
//
// What it is not. It knows no kind of document but by the rules of package input:
// who opens a document reads it. Only values in machines are more to it, because a
// user sets them in the document that names the machine ([Reader.WithMachine]).
//
// Layer. Under experiments; imports input, schema, yamldoc and topology.
package document
