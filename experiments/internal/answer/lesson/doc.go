// Package lesson reads lessons: texts with questions about simulations, whose results
// readers predict before they see them.
//
// What it is. [Read] reads a lesson file (docs/formats/lesson.md). The file names runs of
// scenarios beside it and has expressions over their outcomes. A [Lab] carries out the
// runs that an expression needs, each once. The file has no answers: the number, the right
// choice and the curve that a prediction is compared with are measured, and so are the
// numbers in texts, which are written as expressions.
//
// What it is not. It shows nothing: the command line and the explorer do.
//
// Layer. Under experiments; imports system and scenario.
//
// Determinism. The same files give the same answers.
package lesson
