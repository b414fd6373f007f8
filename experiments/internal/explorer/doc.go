// Package explorer answers the questions of the explorer, a page that simulates in the browser: which values of a
// scenario can be changed, what a run of it yields, which problem size holds an efficiency, what its file is.
//
// What it is. A [Bridge] has the texts of files. [Bridge.Answer] takes a request as JSON
// and returns a [Reply]: JSON, and the timeline in its binary form. A request names a
// file and what is set in it, by the same paths and values as --set on the command line,
// so that whatever the page shows is a run that the command line can repeat.
//
// What it is not. It knows nothing about browsers; the program in folder browser connects it with one. All its
// computing is done by packages run and search.
//
// Layer. Under experiments; imports run, system, scenario and search. It must not call code that draws charts, which
// would make the program in the browser a megabyte larger.
//
// Determinism. Except for the wall time in the provenance, a reply depends only on the files and the request.
//
// Packages, and what each imports of the others:
//
//	browser: .
//	page: .
package explorer
