// Package formula has the language of expressions in files, with one grammar, one set of
// functions and one evaluator: numbers such as 8*n2^1.5 and conditions such as
// network == 'flow' and latency < 2 us. docs/formats/expressions.md describes it for users.
//
// What comes in is a text and what its names stand for. A caller whose names are plain
// variables gives them as [Variables] and asks an [Expression] for its [Expression.Value] or
// whether it [Expression.Holds]. One with functions of its own, whose values depend on a
// place in a program, brings a [Scope] and evaluates by [Env.Eval], which allocates nothing.
//
// Numbers are float64 and arithmetic is that of IEEE 754. An expression is compiled once,
// for a machine with a small stack; names and types are checked before anything is computed.
// Nothing in it repeats and its length is bounded, so it takes little time. No text makes
// the package panic, and all problems are [Error], in one line.
//
// Layer. Imports model/units, whose units numbers may have, and knows nothing of YAML.
// Values are a pure function of the text and the values of its names.
package formula
