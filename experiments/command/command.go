package command

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/output"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

// Exit statuses, a contract with scripts.
const (
	exitOK     = 0
	exitFailed = 1 // the simulation failed: deadlock, target not attainable, interrupted
	exitInput  = 2 // bad input or usage
)

// Main executes the program's command line with its input, output and signals and
// returns the exit status.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), endSignals()...)
	// A second signal ends the program at once, as it ends other programs: a read from a
	// pipe that nothing writes to does not look at the context.
	context.AfterFunc(ctx, stop)
	fault.KeepToBudget()
	slack := make([]byte, gcSlack)
	status := execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
	runtime.KeepAlive(slack)
	stop()
	return status
}

// endSignals are the signals upon which a command stops in an orderly way. A signal that
// is ignored from the start, such as the hangup under nohup, stays ignored.
func endSignals() []os.Signal {
	var all []os.Signal
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			all = append(all, s)
		}
	}
	return all
}

// gcSlack is memory that is allocated but never touched, so that it takes up addresses only. It
// delays the first garbage collection until as much has been allocated, which most commands never
// do. Repeated collections of a heap of a few megabytes cost a short replay a fifth of its time.
const gcSlack = 64 << 20

// execute executes one command line and returns the exit status: 0 done, 1 the
// simulation failed or was interrupted, 2 bad input or usage.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	out := &standardOutput{Writer: stdout}
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = out.err
	}
	if err == nil {
		return exitOK
	}
	printError(stderr, message(err))
	if isInput(err) {
		return exitInput
	}
	return exitFailed
}

// isInput reports whether an error is about what was asked for.
func isInput(err error) bool {
	var other *store.PlanError // a directory of another study, or of another version
	var occupied *store.OccupiedError
	var unwritable *output.Error
	return errors.As(err, &other) || errors.As(err, &occupied) || errors.As(err, &unwritable) || input.IsError(err)
}

// message is what the user reads. Errors about a place in a file begin with
// it, so that editors can jump there; others begin with the program's name.
func message(err error) string {
	text := err.Error()
	if input.HasPosition(err) {
		return text
	}
	if errors.Is(err, context.Canceled) {
		text = "interrupted"
	}
	return "isoscale: " + text
}

func newRoot() *cobra.Command {
	root := newCommand("isoscale", cobra.ArbitraryArgs, func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0], args[0], "isoscale --help")
		}
		return cmd.Help()
	})
	root.Version = input.Version
	root.SilenceErrors = true
	root.SilenceUsage = true
	root.SuggestionsMinimumDistance = 2
	root.SetVersionTemplate("isoscale {{.Version}}\n")
	root.SetFlagErrorFunc(flagError)
	for _, g := range []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Start:", []*cobra.Command{newRun(), newList(), newDescribe()}},
		{"Ask:", []*cobra.Command{newIso(), newReplay(), newMetrics(), newPlan(), newQueue()}},
		{"Study:", []*cobra.Command{newSweep(), newExport(), newReport(), newPlot(), newPaper()}},
		{"Learn and teach:", []*cobra.Command{newLesson(), newExplore()}},
		{"Files:", []*cobra.Command{newValidate(), newSchema(), newTrace()}},
		{"The program:", []*cobra.Command{newVersion()}},
	} {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.title
		}
		root.AddCommand(g.commands...)
		root.SetCompletionCommandGroupID(g.title)
	}
	root.SetHelpCommand(newHelp())
	root.SetHelpCommandGroupID("The program:")
	fillHelp(root)
	return root
}
