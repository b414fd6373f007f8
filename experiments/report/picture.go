package report

// A Timeline is a picture of what the ranks of a run did when, with the messages between
// them and the critical path, in which readers can move.
type Timeline struct {
	Title   string // required
	Caption string
	Data    []byte // in the binary form of docs/formats/timeline.md; required
	Table   *Table // says the same in words and numbers, for readers who do not see it; required
}

// A Network is a picture of a network with the use of its links over time.
type Network struct {
	Title   string // required
	Caption string
	Wiring  []byte // hosts, switches and links in JSON, as docs/formats/timeline.md says; required
	Data    []byte // the use of links, in the form of Timeline.Data; none if it is not known
	Table   *Table // as that of a Timeline; required
}

func (t *Timeline) check(at place) { checkPicture(at, t.Title, "data", t.Data, t.Table) }

func (n *Network) check(at place) { checkPicture(at, n.Title, "wiring", n.Wiring, n.Table) }

func checkPicture(at place, title, what string, data []byte, table *Table) {
	at = at.in("picture", title)
	at.checkPresent("title", title)
	at.checkPresent(what, string(data))
	if table == nil {
		at.reportf("table is missing")
		return
	}
	table.check(at)
}
