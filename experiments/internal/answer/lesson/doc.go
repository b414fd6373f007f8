// Package lesson reads lessons: texts with questions about simulations, which readers
// predict before they see the answers.
//
// What it is. [Read] reads a lesson file (docs/formats/lesson.md). It names runs of
// scenarios beside it and holds expressions over what they measure. A [Lab] carries out
// the runs that an expression needs, each once. No answer is in the file: the number, the
// right choice and the curve that a prediction is compared with are measured, and so are
// the numbers in texts, which stand there as expressions.
//
// What it is not. It shows nothing: the command line and the explorer do.
//
// Layer. Under experiments; imports system and scenario.
//
// Determinism. The same files give the same answers.
package lesson
