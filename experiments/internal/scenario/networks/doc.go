// Package networks reads which network model a file means, with its parameters.
//
// What it is. [Kinds] are the network models that have a name, with all that a file may
// set of each; a file for each model. [Read] makes a [Network]: a model with the
// parameters of the file, and those of the machine where the file gives none. A [Model]
// is one that is put on many machines.
//
// What it is not. What a message costs is said by package network of model, how nodes
// are wired by package machines.
//
// Layer. Under experiments; imports machines, and below it sim, topology and model.
package networks
