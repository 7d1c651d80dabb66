import type { Page } from '@playwright/test'

export interface Presses {
  /** What was pressed with the mouse, in order. */
  mouse: string[]
  enter: string[]
}

/**
 * Notes each real press of a mouse button and of Enter on the pages that `page` shows from now on. Presses rather than
 * clicks, because a list that opens under the mouse keeps its field from being clicked.
 */
export async function countPresses(page: Page): Promise<Presses> {
  const presses: Presses = { mouse: [], enter: [] }
  await page.exposeFunction('notePress', (kind: keyof Presses, on: string) => presses[kind].push(on))
  await page.addInitScript(() => {
    const { notePress } = window as unknown as { notePress: (kind: keyof Presses, on: string) => void }
    const named = ({ target }: Event) => {
      const element = target instanceof Element ? (target.closest('button, a, label, [role]') ?? target) : undefined
      const text = element?.getAttribute('aria-label') ?? element?.textContent ?? ''
      return `${element?.role ?? element?.localName}: ${text.slice(0, 60)}`
    }
    document.addEventListener('pointerdown', (event) => event.isTrusted && notePress('mouse', named(event)), true)
    document.addEventListener(
      'keydown',
      (event) => event.isTrusted && event.key === 'Enter' && notePress('enter', named(event)),
      true,
    )
  })
  return presses
}
