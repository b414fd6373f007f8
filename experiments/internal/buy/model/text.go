package model

import (
	"fmt"
	"math"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// List joins names: "a, b and c".
func List(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// Money prints an amount in whole units of the currency, with spaces between
// thousands: "123 456 EUR".
func (p *Plan) Money(amount float64) string {
	if math.Abs(amount) < 100 && amount != math.Trunc(amount) {
		return fmt.Sprintf("%.3g %s", amount, p.Budget.Money.Currency)
	}
	return Thousands(amount) + " " + p.Budget.Money.Currency
}

func Thousands(amount float64) string {
	digits := fmt.Sprintf("%.0f", math.Abs(amount))
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + " " + digits[i:]
	}
	if amount < 0 {
		digits = "-" + digits
	}
	return digits
}

// ScoreText prints a score: "512 h", "3.21 s".
func (p *Plan) ScoreText(score float64) string {
	switch {
	case !p.ByRuns || p.Objective.Name == ObjectiveTime:
		return fmt.Sprintf("%.4g s", score)
	case score >= 3600e4:
		return Thousands(score/3600) + " h"
	case score >= 3600:
		return fmt.Sprintf("%.4g h", score/3600)
	}
	return fmt.Sprintf("%.4g s", score)
}

// WeightText prints a number of runs, or a share.
func WeightText(x float64) string {
	if x >= 1000 {
		return Thousands(x)
	}
	return input.Number(x)
}
