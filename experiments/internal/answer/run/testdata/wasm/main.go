// Command wasm runs the scenario of the name given, from documents that it reads
// as one JSON object from standard input: as a program in a browser does, which has
// no file system. The test of package run builds it.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/isoscale/isoscale/experiments/internal/answer/run"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
)

func main() {
	if err := execute(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func execute() error {
	var texts map[string]string
	if err := json.NewDecoder(os.Stdin).Decode(&texts); err != nil {
		return err
	}
	documents := scenario.Documents{}
	for name, text := range texts {
		documents[name] = []byte(text)
	}
	s, err := documents.Read(os.Args[1], nil)
	if err != nil {
		return err
	}
	r, err := run.Run(context.Background(), s, run.Options{Links: s.HasLinks()})
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}
