// Package yamldoc reads one YAML document into a tree that remembers where
// every value was written, so that the readers of scenarios, machines, sweeps
// and plans can report all problems of a file at once, each as
//
//	file:line:column: path: what is wrong; expected what
//
// # What it is
//
// [Parse] and [ReadFile] give an immutable tree of [Node]. [Node.Set] gives a
// changed copy, for --set path=value on the command line. A [Decoder] turns
// nodes into Go values and collects every problem; [Mapping] finds missing and
// unknown keys. A reader looks like this:
//
//	d := new(yamldoc.Decoder)
//	m := d.Mapping(root, "a scenario")
//	seed := d.Int(m.Take("seed"), 0, math.MaxInt, "")
//	m.Done()
//	if err := d.Err(); err != nil { ... }
//
// # What it is not
//
// It is not a YAML library: it reads the part of YAML 1.2 that people write by
// hand. Anchors, aliases, merge keys, tags, directives, explicit keys ("? ")
// and files with several documents are rejected with their position. There is
// no decoding by reflection; [Node.YAML] writes a tree, without comments.
//
// # Scalars
//
// A scalar keeps its text as written ([Node.Text]); what it means is decided by
// the reader that asks for it, so a quantity sees "50 us" and never a rounded
// number. Only [Node.Plain] and messages need the type of a scalar. They use
// this subset of the YAML 1.2 core schema, on scalars without quotes:
//
//	~ null Null NULL, or nothing      no value
//	true True TRUE false False FALSE  bool
//	10 -3 +7                          int64, decimal, no leading zero
//	0.5 1e6 -2.5E-3 .5 10.            float64, finite
//	everything else                   string
//
// So these are strings, unlike in some other readers: yes, no, on, off, 0x10,
// 0o17, 010, 1_000, .inf, .nan, 2026-01-01, 1e999, integers beyond 64 bits,
// and "50 us". A scalar in quotes or in block style (| or >) is always a string.
//
// # Limits
//
// A file has at most 4 MiB, lines of at most 8 KiB, 262144 keys, values and
// punctuation marks together, 64 levels of nesting, 8192 keys in a mapping, 128
// bytes in a key, and no control characters. These bounds limit the worst file
// to seconds of work: several steps of the YAML parser are quadratic. A BOM and
// any line ending are fine. Lines and columns count from 1, columns in
// characters.
//
// # Layer
//
// Part of experiments. The only importer of github.com/goccy/go-yaml; of this
// module it imports nothing. It reads no clock and no random source, and never
// iterates over a Go map: the same bytes always give the same tree and messages.
package yamldoc
