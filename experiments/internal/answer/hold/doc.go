// Package hold finds the problem size at which an efficiency, known only where it is computed,
// is held.
//
// Layer. Under experiments; imports package fault alone, so that programs without files use it.
package hold
