// Package lines has what the readers of traces share: it cuts text into lines, takes
// it out of gzip, and has the form of their errors.
//
// bufio.Scanner cuts lines too; [Reader] is twice as fast on short lines because nothing
// is called for each of them but the search for the end. It is small, and
// its buffer is made with the first line and let go after the last, so that a
// program can hold one for each of a million ranks.
//
// What it is not: it knows nothing of what lines say, nor of comments.
//
// Layer: imports nothing of isoscale.
package lines
