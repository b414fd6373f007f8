// Package formula evaluates the expressions that plan files hold: numbers such as
// 8*n2^1.5 and conditions such as r1 + r2 > 12. It is the only importer of the
// expression language.
package formula
