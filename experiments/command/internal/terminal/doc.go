// Package terminal writes what commands show: text within a width, in columns and
// paragraphs, JSON, and the progress of what takes long.
//
// It knows no flag and no command. Progress is the only part that looks at the wall
// clock, and nothing of it is in a result.
package terminal
