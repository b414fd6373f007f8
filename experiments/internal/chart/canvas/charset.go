package canvas

import "strings"

// greek are the letters and signs of this field that the western code page lacks.
var greek = strings.NewReplacer("α", "alpha", "β", "beta", "γ", "gamma", "δ", "delta", "ε", "epsilon", "η", "eta", "κ", "kappa",
	"λ", "lambda", "μ", "µ", "ρ", "rho", "σ", "sigma", "τ", "tau", "φ", "phi", "ψ", "psi", "ω", "omega", "Δ", "Delta", "Σ", "Sigma", "Ψ", "Psi", "Ω", "Ohm",
	"≤", "<=", "≥", ">=", "≈", "~", "≠", "!=", "−", "-", "→", "->", "∞", "infinity", "√", "sqrt ", "∝", "~", "⌈", "", "⌉", "", "\u202f", "\u00a0", "\u2009", " ")

// beyondLatin1 are the characters of code page 1252 that Latin 1 lacks.
const beyondLatin1 = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"

// westernText replaces what code page 1252 lacks.
func westernText(text string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x100 || strings.ContainsRune(beyondLatin1, r) {
			return r
		}
		return '?'
	}, greek.Replace(text))
}

// tex are the characters that TeX would read as commands, and signs that it sets in
// mathematics.
var tex = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "%", `\%`, "&", `\&`, "#", `\#`, "$", `\$`, "_", `\_`,
	"^", `\textasciicircum{}`, "~", `\textasciitilde{}`, "<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`, "\u00a0", "~", "\u202f", "~",
	"µ", `$\mu$`, "μ", `$\mu$`, "ψ", `$\psi$`, "Ψ", `$\Psi$`, "η", `$\eta$`, "σ", `$\sigma$`, "α", `$\alpha$`, "β", `$\beta$`, "ε", `$\epsilon$`, "λ", `$\lambda$`,
	"≤", `$\le$`, "≥", `$\ge$`, "≈", `$\approx$`, "×", `$\times$`, "−", `$-$`, "→", `$\to$`, "·", `$\cdot$`, "±", `$\pm$`, "²", `$^2$`, "³", `$^3$`, "∞", `$\infty$`,
	"…", `\dots{}`, "–", "--", "—", "---", "‘", "`", "’", "'", "“", "``", "”", "''", "€", `\texteuro{}`)

// texText writes text such that TeX sets it as it is.
func texText(text string) string { return tex.Replace(text) }

// texComment is text in a comment.
func texComment(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, text)
}
