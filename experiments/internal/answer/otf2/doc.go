// Package otf2 reads archives of the Open Trace Format 2, which Score-P, TAU and others write:
// an anchor file, global definitions, and a file of definitions and one of events for each
// location. Its reference is the documentation of OTF2 3.0 and, for the bytes, its headers.
//
// Files are streams of records that are looked at one by one in either order of bytes, so that
// an archive of any length takes a buffer for each location. Identifiers of a location are
// mapped to global ones, its times corrected by the clock offsets of its definitions.
//
// [Archive] has the definitions, [Events] the events of a location, and [Trace] what the ranks
// of MPI did. What is neither a definition that those need nor a record of MPI or of the call
// stack is passed over.
//
// Layer: imports recorded, and workloads and model/units.
package otf2
