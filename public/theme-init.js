// Runs before the first paint, so that nobody who chose dark sees a white flash. The keys are those of theme.ts.
;(function () {
  var mode = 'system'
  try {
    mode = localStorage.getItem('strongroom-mode') || 'system'
  } catch {
    // Storage may be forbidden; then the system decides.
  }
  var dark = mode === 'dark' || (mode === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-scheme', dark ? 'dark' : 'light')
  document.documentElement.style.backgroundColor = dark ? '#0d1314' : '#f4f6f7'
})()
