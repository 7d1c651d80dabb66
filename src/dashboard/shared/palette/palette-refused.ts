import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import { showPalette } from './palette-state.ts'

/** Says why the palette does not open. Draws nothing. */
export function PaletteRefused(): null {
  const toasts = useToasts()
  useEffect(() => {
    showPalette(undefined)
    toasts.failed(t`Commands and search are off here: they would be yours, not those of the reader.`)
  }, [toasts])
  return null
}
