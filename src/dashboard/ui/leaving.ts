let asks = true

/**
 * Lets the browser ask in its own words before the page is left.
 * @returns what ends that, for this caller alone
 */
export function askBeforeLeaving(): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    if (asks) event.preventDefault()
  }
  window.addEventListener('beforeunload', ask)
  return () => window.removeEventListener('beforeunload', ask)
}

/** Loads the page again without a question about unsaved input. */
export function reloadWithoutAsking() {
  asks = false
  window.location.reload()
}
