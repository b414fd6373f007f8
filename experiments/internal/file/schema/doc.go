// Package schema declares what a file may contain, once, for everybody who needs
// it: the reader of the file, which asks for no other keys, the tables in the
// documentation, and the JSON Schema that editors complete and check with.
//
// What it is. A [Record] declares the keys of a mapping, each bound to a variable with its
// type, unit, range, default and meaning in one line: reading, JSON Schema, descriptions
// and tables follow from it. The declaration is an [Object]; a [Type] is what a value may
// be. [JSONSchema] writes the declaration for other programs.
//
// What it is not. A schema accepts every file that its reader accepts; the reverse
// holds as far as a schema can express it: readers know more, such as which names other
// parts of the file define.
//
// Layer. Under experiments; imports yamldoc and model/units.
package schema
