import { t } from '@lingui/core/macro'
import { lazy, memo, Suspense, useDeferredValue } from 'react'
import { UNPRINTED } from '../../../ui/print.ts'
import { usePainted } from '../../../ui/use-painted.ts'
import type { Entry } from '../../../shared/listing/entries.ts'
import { DetailsAside } from '../panes.tsx'
import { useRoomAddress, useRoomListing } from '../room-listing.tsx'
import type { OpenMenu } from '../room-menu.tsx'
import { useRoomSelection } from '../room-selection.tsx'
import { useScreen } from '../../../shared/listing/use-screen.ts'

// Only narrow screens need the drawer.
const Drawer = lazy(() => import('@mui/material/Drawer'))
// Loaded after the list is shown.
const ChosenDetails = lazy(async () => ({ default: (await import('./chosen-details.tsx')).ChosenDetails }))

/** The details beside the list, or in a drawer on narrow screens. The list reacts at once; the details may lag behind. */
export function DetailsPane({ onMenu }: { onMenu: OpenMenu }) {
  const chosen = useDeferredValue(useRoomSelection().chosen)
  return <DetailsOf chosen={chosen} onMenu={onMenu} />
}

const DetailsOf = memo(function DetailsOf({ chosen, onMenu }: { chosen: readonly Entry[]; onMenu: OpenMenu }) {
  const { details: open, closeDetails } = useRoomAddress()
  const { content, situation } = useDeferredValue(useRoomListing())
  const { folded, phone } = useScreen()
  const listed = usePainted(content !== undefined)
  const details = content && listed && (
    <Suspense>
      <ChosenDetails chosen={chosen} content={content} situation={situation} onMenu={onMenu} />
    </Suspense>
  )
  if (!folded)
    return (
      <DetailsAside aria-label={t`Details`} className={UNPRINTED}>
        {details}
      </DetailsAside>
    )
  const paper = phone ? { maxHeight: '86vh', borderRadius: '12px 12px 0 0' } : { width: 316 }
  return (
    <Suspense>
      <Drawer
        anchor={phone ? 'bottom' : 'right'}
        open={open && content !== undefined}
        onClose={closeDetails}
        slotProps={{ paper: { sx: paper, 'aria-label': t`Details` } }}
      >
        {details}
      </Drawer>
    </Suspense>
  )
})
