package hpldat

import "github.com/isoscale/isoscale/experiments/internal/file/yamldoc"

// Values are the values of a parameter in a file.
type Values struct {
	Parameter string
	Texts     []string
}

// ReadValues returns what [Read] returns, for people, and how many combinations of values
// there are: as many as HPL runs, but for lines of which nothing depends here.
func ReadValues(file string, data []byte) (all []Values, combinations int, err error) {
	root, err := Read(file, data)
	if err != nil {
		return nil, 0, err
	}
	var d yamldoc.Decoder
	m := d.Mapping(root, "values")
	combinations = 1
	for _, name := range Parameters {
		v := Values{Parameter: name}
		for _, n := range d.Sequence(m.Take(name), "values") {
			v.Texts = append(v.Texts, n.Text())
		}
		if name != "columns" { // rows and columns go together
			combinations *= len(v.Texts)
		}
		all = append(all, v)
	}
	return all, combinations, nil
}
