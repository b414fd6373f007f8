// Package formula has the language of expressions in files, with one grammar, one set of
// functions and one evaluator: numbers such as 8*n2^1.5 and conditions such as
// network == 'flow' and latency < 2 us. docs/formats/expressions.md describes it for users.
//
// A caller gives a text and what its names stand for. If they are plain variables, it gives
// them as [Variables] and asks the [Expression] for its [Expression.Number] or whether it
// [Expression.Holds]. A caller with functions of its own, whose values depend on a place in
// a program, brings a [Scope] and evaluates by [Env.Eval], which allocates nothing.
//
// Numbers are float64 and arithmetic is that of IEEE 754. An expression is compiled once,
// for a machine with a small stack; names and types are checked before anything is computed.
// It has no loops and its length is bounded, so it takes little time. No text makes the
// package panic, and every problem is an [Error] of one line.
//
// Layer. Imports model/units, whose units numbers may have, and knows nothing of YAML.
// Values are a pure function of the text and the values of its names.
package formula
