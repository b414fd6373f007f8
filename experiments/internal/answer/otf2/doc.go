// Package otf2 reads archives of the Open Trace Format 2, which Score-P, TAU and others write:
// an anchor file, global definitions, and a file of definitions and one of events for each
// location. Its reference is the documentation of OTF2 3.0 and, for the bytes, its headers.
//
// Files are streams of records in either byte order, which are read one by one, so that an
// archive of any length takes one buffer for each location. Identifiers of a location are
// mapped to global ones, and its times are corrected by the clock offsets in its definitions.
//
// [Archive] has the definitions, [Events] the events of a location, and [Trace] what the ranks
// of MPI did. Other definitions, and records that do not concern MPI or the call stack, are
// skipped.
//
// Layer: imports recorded, and workloads and model/units.
package otf2
