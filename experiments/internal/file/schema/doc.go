// Package schema declares what a file may contain, once, for everybody who needs
// it: the reader of the file, which asks for no other keys, the tables in the
// documentation, and the JSON Schema that editors complete and check with.
//
// What it is. An [Object] is a mapping with its fields, a [Type] what a value may
// be. [Object.Open] opens a node of a file for its reader: to ask for a key that
// is not declared is a fault of the reader and panics, so that the declaration
// cannot fall behind. [JSONSchema] is the same declaration for other programs.
//
// What it is not. It reads no values but a [Quantity]: readers know more than a
// schema can say, such as which names other parts of the file define. A schema accepts every file
// that its reader accepts, but for what the factors of a sweep replace; the reverse
// holds as far as a schema can express it.
//
// Layer. Under experiments; imports yamldoc and model/units.
package schema
