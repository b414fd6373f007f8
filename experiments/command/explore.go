package command

import (
	"context"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/buy/search"
	"github.com/isoscale/isoscale/experiments/internal/explorer/page"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

// explorerFile is the name of the explorer where none is given.
const explorerFile = "explore.html"

func newExplore() *cobra.Command {
	var file, times string
	cmd := newCommand("explore", atMostOneArg("purchase plan"), func(cmd *cobra.Command, args []string) error {
		if times != "" && len(args) == 0 {
			return input.Errorf("--times without a plan; expected 'isoscale explore PLAN --times %s'", times)
		}
		var own page.Own
		var read []string
		if len(args) > 0 {
			var err error
			if own, read, err = ownOf(args[0], times); err != nil {
				return err
			}
		}
		files, err := outputsOf(cmd, false, read, file)
		if err != nil {
			return err
		}
		data, err := explorer(cmd.Context())
		if err == nil && len(args) > 0 {
			data, err = page.With(data, own)
		}
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
	file = explorerFile
	addOutput(cmd, &file, "output", "o", "write the page to `FILE`")
	cmd.Flags().StringVar(&times, "times", "", "include the simulations in `DIR`, kept by 'isoscale plan --out DIR'")
	return cmd
}

// explorer returns the page that this program was built with, or else one that is made now from the source: the module
// that the current folder is in, or one that it needs.
func explorer(ctx context.Context) ([]byte, error) {
	if len(explorerPage) > 0 {
		return explorerPage, nil
	}
	dir, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/isoscale/isoscale").Output()
	if err != nil {
		return nil, input.Errorf("this program was built without the explorer, and its source is not found; expected to be run in its folder, with Go installed")
	}
	return page.Build(ctx, strings.TrimSpace(string(dir)))
}

// ownOf returns what a user adds to the page: a plan, the files that it names, and the simulations in a folder. It also
// returns the names of the files.
func ownOf(plan, folder string) (own page.Own, read []string, err error) {
	p, err := model.Read(plan, nil)
	if err != nil {
		return own, nil, err
	}
	own = page.Own{Plan: plan, Files: map[string]string{}, Times: map[store.Key]string{}}
	read = input.Files(p.Inputs)
	for _, name := range read {
		text, err := os.ReadFile(name)
		if err != nil {
			return own, nil, err
		}
		own.Files[name] = string(text)
	}
	if folder != "" {
		if _, err := os.Stat(folder); err != nil {
			return own, nil, input.Errorf("--times %s: no such directory; expected that of 'isoscale plan --out'", folder)
		}
		kept, err := search.OpenFolder(folder)
		if err != nil {
			return own, nil, err
		}
		all, err := kept.All()
		if err != nil {
			return own, nil, err
		}
		for key, text := range all {
			own.Times[key] = string(text)
		}
	}
	return own, read, nil
}
