// Package hold finds the problem size that holds an efficiency, which is known only at sizes where
// it is computed.
//
// Layer. Under experiments; imports only package fault, so that programs without files can use it.
package hold
