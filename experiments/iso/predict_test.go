package iso

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/scenario/scenariotest"
	"github.com/isoscale/isoscale/experiments/system"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
