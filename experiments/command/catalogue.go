package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/command/internal/flags"
	"github.com/isoscale/isoscale/experiments/command/internal/terminal"
	"github.com/isoscale/isoscale/experiments/internal/catalogue"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

func newList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "list [KIND]",
		Short:   "List machines, workloads, networks, collectives, metrics, lessons",
		Example: "  isoscale list\n  isoscale list lessons\n  isoscale list machines --json",
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			kinds, _ := catalogueNames()
			return kinds, cobra.ShellCompDirectiveNoFileComp
		},
		Args: flags.AtMostOneArg("kind"),
		RunE: func(cmd *cobra.Command, args []string) error {
			sections, err := catalogue.List()
			if err != nil {
				return err
			}
			if len(args) == 1 {
				if sections, err = selectKind(sections, args[0]); err != nil {
					return err
				}
			}
			return terminal.Print(cmd.OutOrStdout(), asJSON, sections,
				func(p *terminal.Printer) { printList(p, sections) })
		},
	}
	flags.AddJSON(cmd, &asJSON)
	return cmd
}

func printList(p *terminal.Printer, sections []catalogue.Section) {
	for i, s := range sections {
		if i > 0 {
			p.Line("")
		}
		p.Line("%s", s.Kind)
		longest := 20
		for _, e := range s.Entries {
			longest = max(longest, len(e.Name))
		}
		for _, e := range s.Entries {
			title := e.Title
			if e.Source != "" {
				title += ". " + e.Source
			}
			if len(e.Commands) > 0 {
				title += ". By " + strings.Join(e.Commands, ", ")
			}
			p.Wrapped(fmt.Sprintf("  %-*s ", longest, e.Name), title)
		}
	}
}

// catalogueNames returns the kinds of things and the names of all of them, for
// completion; none if the catalogue cannot be read.
func catalogueNames() (kinds, names []string) {
	sections, err := catalogue.List()
	if err != nil {
		return nil, nil
	}
	for _, s := range sections {
		kinds = append(kinds, s.Kind)
		for _, e := range s.Entries {
			names = append(names, e.Name)
		}
	}
	return kinds, names
}

func selectKind(sections []catalogue.Section, kind string) ([]catalogue.Section, error) {
	known := ""
	for _, s := range sections {
		if s.Kind == kind {
			return []catalogue.Section{s}, nil
		}
		known += " " + s.Kind
	}
	return nil, input.Errorf("unknown kind %q; expected one of%s", kind, known)
}

func newDescribe() *cobra.Command {
	var (
		overrides flags.Overrides
		asJSON    bool
		route     string
	)
	cmd := &cobra.Command{
		Use:   "describe NAME|FILE",
		Short: "Show a catalogue entry or a file in full, with defaults and units",
		Long: `
Show a catalogue entry or a file in full, with defaults and units. For machines,
for scenarios and studies with network flow, and for SimGrid platform files
(.xml), this includes the network: the number of links, the diameter, the
bisection bandwidth and, with --route, the links between two hosts.`,
		Example: `  isoscale describe sunwulf
  isoscale describe gauss
  isoscale describe examples/sunwulf-ge.yaml
  isoscale describe examples/cluster.xml --route node-1,node-8`,
		Args: flags.ExactArgs(1, "one name or file"),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			_, names := catalogueNames()
			return names, cobra.ShellCompDirectiveDefault // or the name of a file
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o := catalogue.DescribeOptions{Overrides: overrides}
			if cmd.Flags().Changed("route") {
				o.From, o.To, _ = strings.Cut(route, ",")
				if o.From == "" || o.To == "" {
					return input.Errorf("--route %q; expected two hosts, as in --route node-1,node-2", route)
				}
			}
			d, err := catalogue.Describe(args[0], o)
			if err != nil {
				return err
			}
			return terminal.Print(cmd.OutOrStdout(), asJSON, d, func(p *terminal.Printer) { printDescription(p, d) })
		},
	}
	overrides.AddTo(cmd, "workload.n=800")
	cmd.Flags().StringVar(&route, "route", "", "show the links between the hosts `FROM,TO`, as in node-1,node-8")
	flags.AddJSON(cmd, &asJSON)
	return cmd
}

func printDescription(p *terminal.Printer, d *input.Description) {
	if d.Title == "" {
		p.Line("%s %s", d.Kind, d.Name)
	} else {
		p.Wrapped(d.Kind+" "+d.Name+": ", d.Title)
	}
	if d.Source != "" {
		p.Wrapped("source: ", d.Source)
	}
	if len(d.Facts) > 0 {
		p.Line("")
		var facts terminal.Facts
		for _, f := range d.Facts {
			facts.Add(f.Name, f.Value, f.Note)
		}
		p.Columns("", facts)
	}
	for _, t := range d.Tables {
		p.Line("")
		p.Line("%s:", t.Title)
		p.Columns("  ", append([][]string{t.Columns}, t.Rows...))
	}
	if len(d.Notes) > 0 {
		p.Line("")
		for _, n := range d.Notes {
			p.Wrapped("note: ", n)
		}
	}
}

func newVersion() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  isoscale version --json",
		Args:    flags.ExactArgs(0, "no argument"),
		RunE: func(cmd *cobra.Command, args []string) error {
			v := input.Build()
			return terminal.Print(cmd.OutOrStdout(), asJSON, v, func(p *terminal.Printer) { p.Line("%s", v) })
		},
	}
	flags.AddJSON(cmd, &asJSON)
	return cmd
}
