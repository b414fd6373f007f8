// Package parameter declares the parameters of workloads: name, type, range, default
// and meaning, each stated once. Code that reads files, or lists, describes or checks
// parameters, uses the declaration.
//
// What it is not. It reads no text: the code that does sets the [Values].
//
// Layer. Under workloads; imports model/units, workloads and workloads/collective.
package parameter
