import { partsOf, textOf, type Word } from './words.ts'

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
  for (const screen of ['no-script', 'closed', 'code', 'document']) byId(screen).hidden = screen !== id
}

/** Fills an element with a text. Each value has an element of its own, so that its direction of writing ends with it. */
export function put(element: Element, word: Word, values: Readonly<Record<string, string>> = {}): void {
  element.replaceChildren(...partsOf(word, values).map((part, at) => (at % 2 === 0 ? part : make('bdi', '', part))))
}

/** Fills the elements of shell.html that name a text, and labels those that name a label. */
export function putWords(values: Readonly<Record<string, string>>): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]'))
    put(element, element.dataset['text'] as Word, values)
  for (const element of document.querySelectorAll<HTMLElement>('[data-label]')) {
    const label = textOf(element.dataset['label'] as Word)
    element.ariaLabel = label
    if (element instanceof HTMLButtonElement) element.title = label
  }
}
