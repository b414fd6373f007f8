// Package lessons holds the files of the lessons, so that the program has them wherever
// it is installed.
//
// What it is. [Files] are the lessons and the scenarios, applications, studies and
// machines that they name, as in this folder.
//
// What it is not. It reads none of them: their format is docs/formats/lesson.md.
//
// Layer. Imports nothing of this module.
//
// Determinism. The files are those of the build.
package lessons
