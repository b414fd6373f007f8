package design

import (
	"math"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
)

// Fields are the keys of a plan that say which points a study has.
var Fields = []schema.Field{
	{Key: "factors", Type: schema.Map{Of: factorType, Min: 1}, Required: true, Meaning: "the factors, by name: each a list of levels or a mapping; the name is the column in the results"},
	{Key: "design", Type: schema.AnyOf{schema.OneOf{Factorial, Paired}, latinObject}, Default: Factorial, Meaning: "how the levels of factors are combined"},
	{Key: "exclude", Type: schema.List{Of: schema.Text, Max: planLimits.conditions}, Meaning: "conditions on factors, such as r1 + r2 > 12; a point that meets one is excluded"},
	{Key: "repetitions", Type: schema.Integer{Min: 1, Max: planLimits.points}, Default: "1", Meaning: "runs of each point, each with its own seed"},
	{Key: "seed", Type: schema.Integer{Min: 0, Max: maxSeed}, Default: "1", Meaning: "seed of the plan; the seeds of the points are derived from it"},
	{Key: "seeds", Type: schema.OneOf{"point", "repetition"}, Default: "point", Meaning: "repetition: all points of a repetition have the same seed"},
}

// Object is a mapping with nothing but the keys of a design.
var Object = &schema.Object{What: "a design", Fields: Fields}

// Ends of ranges: numbers, or numbers with a unit of any dimension.
var (
	quantityType = schema.AnyOf{schema.Number{Min: -math.MaxFloat64, Max: math.MaxFloat64}, schema.Pattern(withUnit.String())}
	wholeType    = schema.AnyOf{schema.Integer{Min: -exactInt, Max: exactInt}, schema.Pattern(withUnit.String())}
)

var levelsType = schema.List{Of: schema.Any, Min: 1}

var factorObject = &schema.Object{What: "a factor", Fields: []schema.Field{
	{Key: "path", Type: schema.Text, Default: "the name of the factor", Meaning: "the field of the scenario that the levels set, such as nodes.blade"},
	{Key: "paths", Type: schema.List{Of: schema.Text, Min: 1}, Meaning: "several fields that the levels set together"},
	{Key: "values", Type: levelsType, Meaning: "the levels"},
	{Key: "labels", Type: schema.List{Of: schema.Text}, Meaning: "names of the values in the results, one for each value"},
	{Key: "from", Type: wholeType, Meaning: "first of the whole numbers that are the levels"},
	{Key: "to", Type: wholeType, Meaning: "last of the whole numbers"},
	{Key: "step", Type: wholeType, Default: "1", Meaning: "distance between the whole numbers"},
	{Key: "powers_of_two", Type: powersObject, Meaning: "levels that are powers of two"},
	{Key: "log", Type: spacedObject, Meaning: "levels with logarithmic spacing"},
	{Key: "linear", Type: spacedObject, Meaning: "levels with linear spacing"},
}}

// factorType is a factor: its levels, or where and how it sets which levels.
var factorType = schema.AnyOf{
	levelsType,
	factorObject.Only([]string{"values"}, "path", "paths", "labels"),
	factorObject.Only([]string{"from", "to"}, "path", "paths", "step"),
	factorObject.Only([]string{"powers_of_two"}, "path", "paths"),
	factorObject.Only([]string{"log"}, "path", "paths"),
	factorObject.Only([]string{"linear"}, "path", "paths"),
}

var powersObject = &schema.Object{What: "a range of powers of two", Fields: []schema.Field{
	{Key: "from", Type: wholeType, Required: true, Meaning: "the first power of two"},
	{Key: "to", Type: wholeType, Required: true, Meaning: "the last power of two"},
}}

var spacedObject = &schema.Object{What: "a range", Fields: []schema.Field{
	{Key: "from", Type: quantityType, Required: true, Meaning: "where the range begins"},
	{Key: "to", Type: quantityType, Required: true, Meaning: "where the range ends"},
	{Key: "count", Type: schema.Integer{Min: 2, Max: planLimits.levels}, Meaning: "the number of levels; not allowed in a Latin hypercube, which has one level per sample"},
}}

var latinObject = &schema.Object{What: "a design", Fields: []schema.Field{
	{Key: LatinHypercube, Type: schema.Integer{Min: 1, Max: planLimits.levels}, Required: true, Meaning: "number of samples"},
}}
