// Package lines cuts text into lines, for the readers of traces.
//
// bufio.Scanner does the same; this is twice as fast on short lines because nothing
// is called for each of them but the search for the end. A [Reader] is small, and
// its buffer is made with the first line and let go after the last, so that a
// program can hold one for each of a million ranks.
//
// What it is not: it knows nothing of what lines say, nor of comments or
// compression.
//
// Layer: imports nothing of isoscale.
package lines
