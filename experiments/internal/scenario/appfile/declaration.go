package appfile

import "github.com/isoscale/isoscale/experiments/internal/file/schema"

// Type is an application file.
var Type schema.Type = fileObject

// expressionType is a number with a unit or an expression.
var expressionType = schema.Text

var fileObject = &schema.Object{What: "an application, with work and program", Fields: []schema.Field{
	{Key: "application", Type: schema.Name, Required: true, Meaning: "name of the application"},
	{Key: "title", Type: schema.Text, Meaning: "the application in a few words"},
	{Key: "source", Type: schema.Text, Meaning: "where it is described"},
	{Key: "scaling", Type: schema.OneOf(scalings), Default: "strong", Meaning: "how the total work depends on the number of processes: strong, it does not; weak, it grows with it; replicated, every process does all of it"},
	{Key: "parameters", Type: schema.Map{Of: schema.AnyOf{schema.Text, parameterObject}}, Meaning: "what a scenario may set, with defaults; n is the problem size"},
	{Key: "grid", Type: schema.Map{Of: expressionType, Min: 1, Max: maxAxes}, Meaning: "arrangement of the processes: a number of processes along each axis, or auto"},
	{Key: "distributions", Type: schema.Map{Of: distributionObject}, Meaning: "which process has which items, such as rows"},
	{Key: "let", Type: schema.Map{Of: expressionType}, Meaning: "names for expressions, each of which may use those before it"},
	{Key: "work", Type: expressionType, Required: true, Meaning: "W of the metrics, in flop: the work of all processes, or with scaling: replicated of each"},
	{Key: "memory", Type: expressionType, Meaning: "memory of a process"},
	{Key: "on", Type: schema.OneOf{onDevices}, Meaning: "processes run on the devices of nodes that have some, one on each"},
	{Key: "precision", Type: schema.Name, Meaning: "precision of the marked speed, and of computations that name none, unless the placement names one"},
	{Key: "program", Type: block(), Required: true, Meaning: "the statements of a process"},
}}

// onDevices is where the processes of an application run that needs accelerators.
const onDevices = "devices"

// maxAxes is the largest number of axes of a grid.
const maxAxes = 4

var scalings = []string{"strong", "weak", "replicated"}

var parameterObject = &schema.Object{What: "a parameter, as in {value: 512, meaning: points along each side}", Fields: []schema.Field{
	{Key: "value", Type: schema.Text, Required: true, Meaning: "default"},
	{Key: "meaning", Type: schema.Text, Meaning: "what it is"},
	{Key: "min", Type: schema.Number{Min: -1e30, Max: 1e30}, Default: "0", Meaning: "smallest number"},
	{Key: "max", Type: schema.Number{Min: -1e30, Max: 1e30}, Default: "1e18", Meaning: "largest number"},
	{Key: "algorithm", Type: schema.OneOf(operationNames()), Meaning: "the parameter says how this collective operation is carried out"},
}}

var distributionObject = &schema.Object{What: "a distribution, as in {of: n, kind: cyclic, by: speed}", Fields: []schema.Field{
	{Key: "of", Type: expressionType, Required: true, Meaning: "how many items are distributed"},
	{Key: "kind", Type: schema.OneOf(distributionKinds), Default: "blocked", Meaning: "one piece for each process, or items or blocks dealt out in turns"},
	{Key: "block", Type: expressionType, Meaning: "items of a block, with block-cyclic"},
	{Key: "along", Type: schema.Text, Default: "all", Meaning: "axis of the grid"},
	{Key: "by", Type: schema.OneOf(distributionMeasures), Default: "number", Meaning: "equal parts, or parts in proportion to marked speed"},
}}

var (
	distributionKinds    = []string{"blocked", "cyclic", "block-cyclic"}
	distributionMeasures = []string{"number", "speed"}
)

// block is the type of a list of statements.
func block() schema.Type { return schema.List{Of: schema.Later(statementType)} }

// What decides how fast a computation is.
var (
	kernelField    = schema.Field{Key: "kernel", Type: schema.Name, Meaning: "the inner loop whose efficiency the node types state under kernels; in place of the kernel of the workload"}
	precisionField = schema.Field{Key: "precision", Type: schema.Name, Meaning: "precision of its numbers, whose speed the devices state"}
)

// every is a key that most statements have.
var every = schema.Field{Key: "every", Type: expressionType, Default: "1", Meaning: "only in every so many rounds of the loop around it"}

var computeObject = &schema.Object{What: "a computation, as in {flop: 2*n^3, bytes: 8*n^2}", Ref: "compute", Fields: []schema.Field{
	{Key: "flop", Type: expressionType, Required: true, Meaning: "work"},
	{Key: "bytes", Type: expressionType, Default: "0 B", Meaning: "traffic between cores and memory"},
	{Key: "counts", Type: schema.Boolean, Default: "true", Meaning: "false: the work is performed and is not part of W"},
	kernelField, precisionField, every,
}}

var delayObject = &schema.Object{What: "a delay, as in {time: 5 us}", Ref: "delay", Fields: []schema.Field{
	{Key: "time", Type: expressionType, Required: true, Meaning: "time"}, every,
}}

var exchangeObject = &schema.Object{What: "an exchange, as in {with: neighbours, size: 8 B}", Ref: "exchange", Fields: []schema.Field{
	{Key: "with", Type: schema.OneOf{"neighbours"}, Required: true, Meaning: "whom with: the neighbours on the grid"},
	{Key: "size", Type: schema.AnyOf{expressionType, schema.Map{Of: expressionType}}, Required: true,
		Meaning: "size of a message; by axis, as in {x: 8*ny, y: 8*nx}; with corners also for several axes, as in {xy: 8 B}"},
	{Key: "corners", Type: schema.Boolean, Default: "false", Meaning: "true: also with neighbours along several axes at once"},
	{Key: "periodic", Type: schema.AnyOf{schema.Boolean, schema.List{Of: schema.Text}}, Default: "false", Meaning: "the ends of all axes, or of some, are neighbours"},
	every,
}}

// Parts of messages.
var (
	toField       = schema.Field{Key: "to", Type: expressionType, Required: true, Meaning: "process; outside of those that there are, nobody"}
	fromField     = schema.Field{Key: "from", Type: expressionType, Required: true, Meaning: "process, or any; outside of those that there are, nobody"}
	sizeField     = schema.Field{Key: "size", Type: expressionType, Required: true, Meaning: "size"}
	expectedField = schema.Field{Key: "size", Type: expressionType, Meaning: "size that the sender gives, for the reader: it changes nothing"}
	tagField      = schema.Field{Key: "tag", Type: expressionType, Default: "0", Meaning: "tag"}
	anyTagField   = schema.Field{Key: "tag", Type: expressionType, Default: "0", Meaning: "tag, or any"}
	requestField  = schema.Field{Key: "request", Type: schema.Text, Meaning: "name for wait; without one, wait: all waits for it"}
)

var messageObjects = map[string]*schema.Object{
	"send":     {What: "a send, as in {to: rank+1, size: 8 B}", Ref: "send", Fields: []schema.Field{toField, sizeField, tagField, every}},
	"recv":     {What: "a receive, as in {from: rank-1}", Ref: "recv", Fields: []schema.Field{fromField, expectedField, anyTagField, every}},
	"isend":    {What: "a send, as in {to: rank+1, size: 8 B, request: up}", Ref: "isend", Fields: []schema.Field{toField, sizeField, tagField, requestField, every}},
	"irecv":    {What: "a receive, as in {from: rank-1, request: down}", Ref: "irecv", Fields: []schema.Field{fromField, expectedField, anyTagField, requestField, every}},
	"sendrecv": {What: "a send and a receive, as in {to: rank+1, from: rank-1, size: 8 B}", Ref: "sendrecv", Fields: []schema.Field{toField, fromField, sizeField, tagField, every}},
}

var waitObject = &schema.Object{What: "a wait, as in {request: up}", Ref: "wait", Fields: []schema.Field{
	{Key: "request", Type: schema.Text, Required: true, Meaning: "the name of a request, or all"}, every,
}}

var tasksObject = &schema.Object{What: "tasks, as in {count: 1000, flop: 1 Gflop}", Ref: "tasks", Fields: []schema.Field{
	{Key: "count", Type: expressionType, Required: true, Meaning: "how many tasks there are"},
	{Key: "flop", Type: expressionType, Required: true, Meaning: "work of a task, whose number is task"},
	{Key: "bytes", Type: expressionType, Default: "0 B", Meaning: "traffic between cores and memory"},
	{Key: "order", Type: schema.OneOf{"static", "dynamic"}, Default: "static", Meaning: "process r has the tasks r, r+p, ...; or process 0 hands them out, first come first served"},
	{Key: "input", Type: expressionType, Default: "0 B", Meaning: "dynamic: size of the message with a task"},
	{Key: "output", Type: expressionType, Default: "0 B", Meaning: "dynamic: size of the message with its result"},
	{Key: "counts", Type: schema.Boolean, Default: "true", Meaning: "false: the work is performed and is not part of W"},
	kernelField, precisionField, every,
}}

// varyObject is a distribution of which one is given.
var varyObject = schema.AnyOf{
	expressionType,
	widthObject("uniform", "between 1 - this and 1 + this"),
	widthObject("normal", "normal, with mean 1 and this standard deviation"),
	widthObject("exponential", "1 and an exponential part with this mean"),
}

func widthObject(key, meaning string) *schema.Object {
	return &schema.Object{What: "a distribution, as in {" + key + ": 0.1}", Fields: []schema.Field{
		{Key: key, Type: expressionType, Required: true, Meaning: "the factor is " + meaning},
	}}
}
