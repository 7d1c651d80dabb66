import type { MouseEvent } from 'react'

/** The menu key has no position of its own. */
export const isMenuKey = ({ button, clientX }: MouseEvent): boolean => button !== 2 && clientX === 0

export function below(element: Element): { left: number; top: number } {
  const { left, bottom } = element.getBoundingClientRect()
  return { left, top: bottom }
}

/** Returns where a menu opens: at the pointer or, for the menu key, below the active element. */
export function menuPoint(event: MouseEvent, active: Element | null | undefined): { left: number; top: number } {
  return isMenuKey(event) && active ? below(active) : { left: event.clientX, top: event.clientY }
}
