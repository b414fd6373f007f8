package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/catalogue"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/each"
)

func newList() *cobra.Command {
	var asJSON bool
	cmd := newCommand("list", atMostOneArg("kind"), func(cmd *cobra.Command, args []string) error {
		sections, err := catalogue.List()
		if err != nil {
			return err
		}
		if len(args) == 1 {
			if sections, err = selectKind(sections, args[0]); err != nil {
				return err
			}
		}
		return printAs(cmd.OutOrStdout(), asJSON, sections,
			func(p *printer) { printList(p, sections) })
	})
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		kinds, _ := catalogueNames()
		return kinds, cobra.ShellCompDirectiveNoFileComp
	}
	addJSON(cmd, &asJSON)
	return cmd
}

func printList(p *printer, sections []catalogue.Section) {
	for i, s := range sections {
		if i > 0 {
			p.Line("")
		}
		p.Line("%s", s.Kind)
		longest := each.Max(20, s.Entries, func(e catalogue.Entry) int { return len(e.Name) })
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
		names = each.Append(names, s.Entries, func(e catalogue.Entry) string { return e.Name })
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
		options catalogue.DescribeOptions
		asJSON  bool
		route   string
	)
	cmd := newCommand("describe", exactArgs(1, "one name or file"), func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("route") {
			options.From, options.To, _ = strings.Cut(route, ",")
			if options.From == "" || options.To == "" {
				return input.Errorf("--route %q; expected two hosts, as in --route node-1,node-2", route)
			}
		}
		d, err := catalogue.Describe(args[0], options)
		if err != nil {
			return err
		}
		return printAs(cmd.OutOrStdout(), asJSON, d, func(p *printer) { printDescription(p, d) })
	})
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		_, names := catalogueNames()
		return names, cobra.ShellCompDirectiveDefault // or the name of a file
	}
	addOverrides(cmd, &options.Overrides, "workload.n=800")
	cmd.Flags().StringVar(&route, "route", "", "show the links between the hosts `FROM,TO`, as in node-1,node-8")
	addJSON(cmd, &asJSON)
	return cmd
}

func printDescription(p *printer, d *input.Description) {
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
		p.Facts(d.Facts)
	}
	for _, t := range d.Tables {
		p.Section(t.Title + ":")
		p.Columns("  ", append([][]string{t.Columns}, t.Rows...))
	}
	p.List("note: ", d.Notes)
}

func newVersion() *cobra.Command {
	var asJSON bool
	cmd := newCommand("version", exactArgs(0, "no argument"), func(cmd *cobra.Command, args []string) error {
		v := input.Build()
		return printAs(cmd.OutOrStdout(), asJSON, v, func(p *printer) { p.Line("%s", v) })
	})
	addJSON(cmd, &asJSON)
	return cmd
}
