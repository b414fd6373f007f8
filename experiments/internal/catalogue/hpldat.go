package catalogue

import (
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/hpldat"
)

// readHPL reads an HPL.dat.
func readHPL(path string) ([]hpldat.Values, int, error) {
	data, err := input.ReadFile(path)
	if err != nil {
		return nil, 0, input.Errorf("%s: cannot read: %v; expected an HPL.dat", path, input.Reason(err))
	}
	return hpldat.ReadValues(path, data)
}

// validateHPL says how many runs of a scenario the file stands for.
func validateHPL(path string) (string, error) {
	_, combinations, err := readHPL(path)
	return input.Plural(combinations, "combination") + " of values", err
}

// describeHPL describes an HPL.dat by the parameters that it sets.
func describeHPL(path string) (*input.Description, error) {
	all, combinations, err := readHPL(path)
	if err != nil {
		return nil, err
	}
	d := &input.Description{Kind: string(input.FormHPL), Name: path, Title: input.Plural(combinations, "combination") + " of values of the workload hpl"}
	for _, v := range all {
		d.Facts = append(d.Facts, input.Parameter{Name: v.Parameter, Value: strings.Join(v.Texts, ", ")})
	}
	if combinations > 1 {
		d.Notes = []string{"a scenario takes one value of each parameter: give the others beside the name of the file"}
	}
	return d, nil
}
