// Package units names the physical quantities of a cluster model and reads and
// prints them as people write them: "36.45 Mflop/s", "100 Mbit/s", "50 us".
//
// Every quantity is a float64 in its base unit: seconds, bytes, bytes per
// second, floating point operations (flop), flop per second, watts. Prefixes
// exist only in text. Money is an amount with its currency.
//
// # Grammar
//
// One grammar serves every parser (EBNF as in the Go specification):
//
//	quantity = number [ " " ] unit | "0" .
//	number   = [ sign ] digits [ "." digits ] [ ( "e" | "E" ) [ sign ] digits ] .
//	sign     = "+" | "-" .
//	digits   = digit { digit } .
//	digit    = "0" … "9" .
//
//	unit     = time | size | size "/s" | work | work "/s" | power | currency .
//	time     = "s" | "ms" | "us" | "µs" | "ns" | "ps" | "min" | "h" | "d" .
//	size     = [ decimal | binary ] ( "B" | "bit" ) .
//	work     = [ decimal ] "flop" .
//	power    = "W" | "kW" | "MW" .
//	currency = letter letter letter .
//	letter   = "A" … "Z" .
//	decimal  = "k" | "M" | "G" | "T" | "P" | "E" .
//	binary   = "Ki" | "Mi" | "Gi" | "Ti" | "Pi" | "Ei" .
//
// Each parser takes the units of its own quantity only. The decimal prefixes are powers
// of 1000, the binary ones powers of 1024; a byte has 8 bits; min, h and d are 60 s,
// 3600 s and 86400 s. The µ may be the micro sign (U+00B5) or the Greek letter
// (U+03BC). Units are case-sensitive: kilo is "k", so "KB" and "Kflop" are refused.
// Spellings that are ambiguous or sloppy ("Mb", "Mbps", "MFLOPS", "sec") are refused
// too, and the error names the units that may be meant.
//
// A number needs a unit; only the text "0" does not. There are no hexadecimal numbers,
// no underscores, no infinities and no NaN, and a value that overflows to infinity is
// an error. A value too small for a float64 becomes 0. Negative values are accepted:
// the caller checks the range.
//
// # Precision
//
// With decimal and binary prefixes and with bits, the result is the float64
// nearest to the number as written, so "50 us" is exactly 50e-6, unless it is
// subnormal (below 2.3e-308). With min, h and d it may be off by one more
// rounding.
//
// The String methods keep 6 significant digits, drop trailing zeros and choose the
// prefix that puts the number in [1, 1000) where there is such a prefix. They are for
// people: parsing the text of a finite value gives that value within a relative 1e-5,
// not to the last bit. Money keeps all its digits. Not a number and the infinities
// print as "NaN s" and "+Inf s", which no parser takes.
//
// # What it is not
//
// The only arithmetic is what a cluster model needs, [Bytes.Over] and [Flops.At]. The package checks no ranges,
// converts no currencies and has no list of them. It does not affect JSON, where quantities are plain numbers in base
// units.
//
// Layer: a leaf; it imports only the standard library and every other package
// may import it. Determinism: all functions are pure.
package units
