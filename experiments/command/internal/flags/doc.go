// Package flags has what commands share: the flags that several of them have and the values
// that they take, how many arguments a command takes, and what is done with an answer that has a
// report: the files that are written, the text or the JSON that is printed. What is in text and
// report comes from the command and from the answer.
//
// The description of a flag begins with a verb; its value is a word in capitals; the
// default comes last, in brackets.
package flags
