package machinefile

import (
	"fmt"
	"io"

	"github.com/isoscale/isoscale/experiments"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
)

// Load reads a cluster: a machine file (.yaml), a SimGrid platform (.xml), or a
// machine of the catalogue, such as sunwulf. The error names the file, the line and
// what was expected. Cluster is that of package isoscale.
func Load(name string) (*experiments.Cluster, error) {
	if machines.IsPlatformFile(name) {
		data, err := input.ReadFile(name)
		if err != nil {
			return nil, err
		}
		return parse(name, data)
	}
	m, err := machines.Open(name)
	if err != nil {
		return nil, err
	}
	return &experiments.Cluster{Machine: m}, nil
}

// maxFile is the largest text that Read accepts.
const maxFile = 64 << 20

// Read reads a cluster from r, as [Load] does from a file of that name.
func Read(name string, r io.Reader) (*experiments.Cluster, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("%s: more than %d bytes", name, maxFile)
	}
	return parse(name, data)
}

func parse(name string, data []byte) (*experiments.Cluster, error) {
	if machines.IsPlatformFile(name) {
		p, err := machines.ParsePlatform(name, data)
		if err != nil {
			return nil, err
		}
		return &experiments.Cluster{Platform: p}, nil
	}
	m, err := machines.Parse(name, data)
	if err != nil {
		return nil, err
	}
	return &experiments.Cluster{Machine: m}, nil
}
