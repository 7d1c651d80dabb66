/** Returns an element of shell.html. @throws Error if there is none */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (!element) throw new Error(`the page has no ${id}`)
  return element
}

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  text = '',
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  element.className = className
  element.textContent = text
  return element
}

/** Shows one of the screens of shell.html, and hides the others. */
export function showScreen(id: 'closed' | 'code' | 'document'): void {
  for (const screen of ['closed', 'code', 'document']) byId(screen).hidden = screen !== id
}
