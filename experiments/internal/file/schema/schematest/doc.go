// Package schematest compares a schema with the reader of its files, by a validator
// of JSON Schema that others wrote: a schema must accept what the reader accepts, and
// refuse what the reader refuses as far as a schema can express it.
//
// Layer. Under experiments; for tests only.
package schematest
