package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
)

// help COMMAND prints what COMMAND --help prints.
func TestHelp(t *testing.T) {
	execute := func(args ...string) (string, error) {
		root := newRoot()
		root.SetHelpCommand(newHelp())
		var out bytes.Buffer
		root.SetOut(&out)
		root.SetErr(&out)
		root.SetArgs(args)
		err := root.ExecuteContext(context.Background())
		return out.String(), err
	}
	for _, command := range [][]string{{}, {"run"}, {"replay"}, {"describe"}} {
		want, err := execute(append(command, "--help")...)
		if err != nil || !strings.Contains(want, "Usage:") {
			t.Fatalf("%q --help: %q, %v", command, want, err)
		}
		got, err := execute(append([]string{"help"}, command...)...)
		if err != nil || got != want {
			t.Errorf("help %q: %v\n%s\nwant\n%s", command, err, got, want)
		}
	}
	for text, want := range map[string]string{
		"rum":      `unknown command "rum"; did you mean run?`,
		"qwertz":   `unknown command "qwertz"`,
		"run fast": `unknown command "run fast"`,
	} {
		_, err := execute(append([]string{"help"}, strings.Fields(text)...)...)
		var usage *usageError
		if !errors.As(err, &usage) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("help %s: %v, want %s", text, err, want)
		}
	}
}
