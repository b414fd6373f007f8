package input

// Description is a thing in full, resolved and with units.
type Description struct {
	Kind   string      `json:"kind"`
	Name   string      `json:"name"`
	Title  string      `json:"title,omitempty"`
	Source string      `json:"source,omitempty"`
	Facts  []Parameter `json:"facts,omitempty"`
	Tables []DataTable `json:"tables,omitempty"`
	Notes  []string    `json:"notes,omitempty"`
}

// DataTable is a table of text.
type DataTable struct {
	Title   string     `json:"title"`
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}
