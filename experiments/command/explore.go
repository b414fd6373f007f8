package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/isoscale/isoscale/experiments/internal/explorer/page"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// explorerFile is the name of the explorer where none is given.
const explorerFile = "explore.html"

const makeExplorerCommand = "go run ./cmd/makeexplorer -o " + explorerFile

func newExplore() *cobra.Command {
	var file string
	cmd := newCommand("explore", exactArgs(0, "no arguments"), func(cmd *cobra.Command, _ []string) error {
		if len(explorerPage) == 0 {
			return input.Errorf("this program was built without the explorer\nIn the source of isoscale, '" + makeExplorerCommand + "' makes it.")
		}
		files, err := outputsOf(cmd, false, nil, file)
		if err != nil {
			return err
		}
		if err := files.Write(file, func(w io.Writer) error {
			_, err := w.Write(explorerPage)
			return err
		}); err != nil {
			return err
		}
		p := &printer{W: files.Text()}
		p.File(file)
		return p.Err
	})
	file = explorerFile
	addOutput(cmd, &file, "output", "o", "write the page to `FILE`")
	return cmd
}

// MakeExplorer is the command makeexplorer: it makes the explorer from the source of
// isoscale in the current folder or above it. It returns the exit status.
func MakeExplorer(args []string) int {
	set := pflag.NewFlagSet("makeexplorer", pflag.ContinueOnError)
	file := set.StringP("output", "o", explorerFile, "write the page to `FILE`")
	if err := set.Parse(args); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			return exitOK
		}
		fmt.Fprintln(os.Stderr, "makeexplorer:", err)
		return exitInput
	}
	if err := makeExplorer(*file); err != nil {
		fmt.Fprintln(os.Stderr, "makeexplorer:", err)
		return exitFailed
	}
	return exitOK
}

func makeExplorer(file string) error {
	ctx, stop := signal.NotifyContext(context.Background(), endSignals()...)
	defer stop()
	dir, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/isoscale/isoscale").Output()
	if err != nil {
		return fmt.Errorf("the source of isoscale is not found: %w; expected to be run in its folder, with Go installed", err)
	}
	data, err := page.Build(ctx, strings.TrimSpace(string(dir)))
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		return err
	}
	fmt.Printf("%s: %.1f MB\n", file, float64(len(data))/1e6)
	return nil
}
