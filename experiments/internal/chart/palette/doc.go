// Package palette has the colours of pages, pictures and figures.
//
// What it is. Three themes: a light and a dark page, and paper that is printed in black.
// [Style] declares the colours of pages as variables of a style sheet, whose names all
// drawings and scripts use; figures that are files have the light theme or greys.
//
// The series colours start from those of Okabe and Ito (2008), with lightness and hue
// moved until each has a contrast of at least 3 to 1 with the paper, the first [Apart]
// differ in lightness alone, and any two differ also for readers with a colour vision
// deficiency. The colours of a ramp go steadily away from the paper in lightness, and so
// can be ranked without seeing hues. The tests compute all of that.
//
// What it is not. It draws nothing, and mixes no colours.
//
// Layer. Under experiments; imports nothing.
package palette
