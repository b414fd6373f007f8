// Package parameter declares the parameters of workloads: name, type, range,
// default and meaning, each stated once. What reads files, lists, describes or
// checks them works from the declaration.
//
// What it is not. It reads no text: [Values] are set by who has read it.
//
// Layer. Under workloads; imports model/units, workloads and workloads/collective.
package parameter
