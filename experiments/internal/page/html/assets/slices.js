// Shows the map that the sliders of a set of maps select. Charts redraw themselves when
// they become visible.
"use strict";
(function () {
  for (const block of document.querySelectorAll(".slices")) {
    const sliders = [...block.querySelectorAll("input")];
    const maps = [...block.querySelectorAll(".slice")];
    const show = () => {
      let at = 0;
      for (const slider of sliders) {
        const level = JSON.parse(slider.dataset.levels)[slider.value];
        at += Number(slider.dataset.stride) * Number(slider.value);
        slider.setAttribute("aria-valuetext", level);
        block.querySelector('output[for="' + slider.id + '"]').textContent = level;
      }
      maps.forEach((map, k) => { map.hidden = k !== at; });
    };
    for (const slider of sliders) {
      slider.disabled = false;
      slider.addEventListener("input", show);
    }
  }
})();
