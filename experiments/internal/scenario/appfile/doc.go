// Package appfile reads application files: what the keys of such a file are, and how
// they become an application.
//
// What it is. [Read] takes the root of a file, which package input recognises by its
// key application, and reports every mistake with its place and what was expected.
// [Type] is the declaration of the file.
//
// What it is not. It opens no files, so that applications can be read from memory.
//
// Layer. Under experiments; imports application, choice, schema, yamldoc, model/units,
// workloads and its packages.
package appfile
