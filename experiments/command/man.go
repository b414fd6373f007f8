package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/each"
)

// writeManuals writes a page of the manual for the program and for each of its commands to a new folder, from what --help
// shows.
func writeManuals(root *cobra.Command, folder string) error {
	if err := os.Mkdir(folder, 0o777); err != nil {
		return input.Errorf("--man: %v; expected the name of a new folder", err)
	}
	pages := []*cobra.Command{root}
	for i := 0; i < len(pages); i++ {
		c := pages[i]
		pages = each.Where(pages, c.Commands(), (*cobra.Command).IsAvailableCommand)
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		if err := os.WriteFile(filepath.Join(folder, name), []byte(manual(c)), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// manual is a page of the manual in the language of man(7).
func manual(c *cobra.Command) string {
	var b strings.Builder
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	section := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&b, ".SH %s\n%s\n", title, text)
		}
	}
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"isoscale %s\"\n", strings.ToUpper(roff(name)), roff(input.Version))
	section("NAME", roff(name)+" \\- "+roff(c.Short))
	section("SYNOPSIS", ".B "+roff(c.UseLine()))
	section("DESCRIPTION", asPrinted(filled(c.Long)))
	var flags, commands strings.Builder
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		fmt.Fprintf(&flags, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace("--"+f.Name+" "+value)), roff(usage))
	})
	section("OPTIONS", flags.String())
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			fmt.Fprintf(&commands, ".TP\n.B %s\n%s\n", roff(sub.Name()), roff(sub.Short))
		}
	}
	section("COMMANDS", commands.String())
	section("EXAMPLES", asPrinted(c.Example))
	return b.String()
}

// asPrinted keeps the lines of a text.
func asPrinted(text string) string {
	if text == "" {
		return ""
	}
	return ".nf\n" + roff(text) + "\n.fi"
}

// roff returns a text that man shows as it is.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
