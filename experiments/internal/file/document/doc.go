// Package document opens the documents that a command reads, and those that they name:
// files on disk, texts where there is no file system, or files that were read before.
//
// What it is. A [Reader] is a decoder that opens documents by name, applies what a user
// sets in them, and remembers each with its hash as an input of the result. A
// [Library] holds the documents that the scenarios of a study name, each read once,
// and what was made of them.
//
// What it is not. It does not interpret documents: whoever opens one does. Only of
// machines does it know more, because a user sets values of a machine in the document
// that names the machine ([Reader.WithMachine]).
//
// Layer. Under experiments; imports input, schema, yamldoc and topology.
package document
