package swf

import "strconv"

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// skipBlanks returns the index of what follows blanks.
func skipBlanks(b []byte, i int) int {
	for i < len(b) && isBlank(b[i]) {
		i++
	}
	return i
}

// fieldEnd returns the index behind a field.
func fieldEnd(b []byte, i int) int {
	for i < len(b) && !isBlank(b[i]) {
		i++
	}
	return i
}

// exactDigits is how many decimal digits a float64 holds exactly.
const exactDigits = 15

// parseNumber reads a decimal number: digits with an optional sign, point and more
// digits. Most are short whole numbers, for which it is several times faster than
// package strconv.
func parseNumber(b []byte) (float64, bool) {
	digits := b
	if len(digits) > 0 && (digits[0] == '-' || digits[0] == '+') {
		digits = digits[1:]
	}
	n, point, count := 0, false, 0
	for _, c := range digits {
		switch {
		case '0' <= c && c <= '9':
			if count < exactDigits {
				n = 10*n + int(c-'0')
			}
			count++
		case c == '.' && !point:
			point = true
		default:
			return 0, false
		}
	}
	switch {
	case count == 0:
		return 0, false
	case point || count > exactDigits:
		x, err := strconv.ParseFloat(string(b), 64)
		return x, err == nil
	case b[0] == '-':
		n = -n
	}
	return float64(n), true
}
