// Package lines has what the readers of traces share: it cuts text into lines,
// decompresses gzip, and defines the form of their errors.
//
// bufio.Scanner cuts lines too; [Reader] is twice as fast on short lines because for
// each line it only calls the search for its end. It is small, and its buffer exists
// only from the first line to the last, so a program can hold a Reader for each of a
// million ranks.
//
// What it is not: it knows nothing about the content of lines or about comments.
//
// Layer: imports nothing of isoscale.
package lines
