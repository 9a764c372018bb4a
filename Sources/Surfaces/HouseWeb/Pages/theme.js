// Applies the chosen theme before the first paint.
(() => {
  try {
    const theme = localStorage.getItem("tutti.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is blocked: the theme of the system applies.
  }
})();
