import { useEffect } from 'react'
import { askBeforeLeaving } from '../../ui/leaving.ts'

/** Lets the browser ask before the page is left while `active`. */
export function useLeaveWarning(active: boolean) {
  useEffect(() => (active ? askBeforeLeaving() : undefined), [active])
}
