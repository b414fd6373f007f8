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

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/buy/search"
	"github.com/isoscale/isoscale/experiments/internal/explorer/page"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

// explorerFile is the name of the explorer where none is given.
const explorerFile = "explore.html"

const makeExplorerCommand = "go run ./cmd/makeexplorer -o " + explorerFile

func newExplore() *cobra.Command {
	var file, times string
	cmd := newCommand("explore", atMostOneArg("purchase plan"), func(cmd *cobra.Command, args []string) error {
		if len(explorerPage) == 0 {
			return input.Errorf("this program was built without the explorer\nIn the source of isoscale, '" + makeExplorerCommand + "' makes it.")
		}
		if times != "" && len(args) == 0 {
			return input.Errorf("--times without a plan; expected 'isoscale explore PLAN --times %s'", times)
		}
		data, read, err := explorerPage, []string(nil), error(nil)
		if len(args) > 0 {
			if data, read, err = explorerWith(args[0], times); err != nil {
				return err
			}
		}
		files, err := outputsOf(cmd, false, read, file)
		if err != nil {
			return err
		}
		if err := files.Write(file, func(w io.Writer) error {
			_, err := w.Write(data)
			return err
		}); err != nil {
			return err
		}
		p := &printer{W: files.Text()}
		p.File(file)
		return p.Err
	})
	cmd.Hidden = len(explorerPage) == 0 // it says how to make one
	file = explorerFile
	addOutput(cmd, &file, "output", "o", "write the page to `FILE`")
	cmd.Flags().StringVar(&times, "times", "", "take along the simulations of the plan in `DIR`, of 'isoscale plan --out DIR'")
	return cmd
}

// explorerWith returns the explorer with a plan, the files that it names, and the simulations in a folder; and
// the names of the files.
func explorerWith(plan, folder string) (data []byte, read []string, err error) {
	p, err := model.Read(plan, nil)
	if err != nil {
		return nil, nil, err
	}
	own := page.Own{Plan: plan, Files: map[string]string{}, Times: map[store.Key]string{}}
	read = input.Files(p.Inputs)
	for _, name := range read {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, nil, err
		}
		own.Files[name] = string(text)
	}
	if folder != "" {
		if _, err := os.Stat(folder); err != nil {
			return nil, nil, input.Errorf("--times %s: no such directory; expected that of 'isoscale plan --out'", folder)
		}
		kept, err := search.OpenFolder(folder)
		if err != nil {
			return nil, nil, err
		}
		all, err := kept.All()
		if err != nil {
			return nil, nil, err
		}
		for key, text := range all {
			own.Times[key] = string(text)
		}
	}
	data, err = page.With(explorerPage, own)
	return data, read, err
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
