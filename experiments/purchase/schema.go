package purchase

import "github.com/isoscale/isoscale/experiments/schema"

// Type is what the file of a plan contains.
var Type schema.Type = schema.Any
