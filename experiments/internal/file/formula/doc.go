// Package formula evaluates the expressions in files: numbers such as
// 8*n2^1.5 ([Number]) and conditions such as r1 + r2 > 12 ([Condition]). Both are
// one small language. The caller defines the names. A caller with functions of its
// own, or one that evaluates an expression millions of times, takes its tree
// ([Parse]).
//
// # The language
//
//	1  2.5e3  'text'  "text"  true  false  [1, 2, 4]
//	names                letters, digits and underscores, none of them [IsWord]
//	+ - * / % ^ **       numbers; + also texts. % has the sign of the divisor
//	== != < <= > >= in   "p in [1, 2, 4]", "network not in ['flow']"
//	and or not && || !   also  condition ? a : b, if condition {a} else {b}
//	contains startsWith endsWith matches
//	abs ceil exp floor ln log log2 log10 max min mod round sqrt
//
// Numbers are float64, so 7/2 is 3.5, and arithmetic is that of IEEE 754: 1/0 is
// infinite. Powers bind more strongly than signs and associate to the right: -2^2 is -4,
// 2^3^2 is 512. log is the natural logarithm, as ln. round rounds halves away from
// zero. max and min have one or more arguments, mod(x, y) is x % y. Regular
// expressions (matches) are those of Go.
//
// The logarithm of a number that is not positive, the root of a negative one and
// the remainder of a division by zero are errors. Names and types are checked
// before anything is computed. Formulas of numbers have no texts and no
// operators on texts.
//
// An expression has at most 1000 bytes and 500 operators and operands. With the
// small set of functions, this bounds the time and the memory of an evaluation:
// nothing repeats, and nothing makes a long list. No text makes the package
// panic. Errors are [Error] in one line.
//
// # Layer
//
// Imports nothing of isoscale, and is the only importer of
// github.com/expr-lang/expr, whose language this is a part of. Values are a pure
// function of the text and the values of its names.
package formula
