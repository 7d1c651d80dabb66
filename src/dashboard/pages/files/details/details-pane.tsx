import { t } from '@lingui/core/macro'
import { lazy, memo, Suspense, useDeferredValue } from 'react'
import { UNPRINTED } from '../../../ui/print.ts'
import { actionsAt, type Action } from '../actions.ts'
import { Details } from './details.tsx'
import { DetailsActions, OrderButtons } from './details-actions.tsx'
import type { Entry } from '../../../shared/listing/entries.ts'
import { DetailsAside } from '../panes.tsx'
import { useRoomCommands } from '../room-commands.tsx'
import { useRoomAddress, useRoomListing } from '../room-listing.tsx'
import type { OpenMenu } from '../room-menu.tsx'
import { useRoomSelection } from '../room-selection.tsx'
import { useScreen } from '../../../shared/listing/use-screen.ts'

// Only narrow screens need the drawer.
const Drawer = lazy(() => import('@mui/material/Drawer'))

/** The details beside the list, or in a drawer on narrow screens. The list reacts at once; the details may lag behind. */
export function DetailsPane({ onMenu }: { onMenu: OpenMenu }) {
  const chosen = useDeferredValue(useRoomSelection().chosen)
  return <DetailsOf chosen={chosen} onMenu={onMenu} />
}

const DetailsOf = memo(function DetailsOf({ chosen, onMenu }: { chosen: readonly Entry[]; onMenu: OpenMenu }) {
  const { workspace, details: open, closeDetails } = useRoomAddress()
  const { content, situation } = useDeferredValue(useRoomListing())
  const { commands } = useRoomCommands()
  const { folded, phone } = useScreen()
  const run = (action: Action) => action.run(commands, chosen)
  const actions = (
    <DetailsActions
      actions={actionsAt('details', situation, chosen)}
      onRun={run}
      onMenu={(at) => onMenu(at, chosen[0])}
    />
  )
  const order = <OrderButtons actions={actionsAt('order', situation, chosen)} onRun={run} />
  const details = content && (
    <Details workspace={workspace} content={content} chosen={chosen} actions={actions} order={order} />
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
        open={open && details !== undefined}
        onClose={closeDetails}
        slotProps={{ paper: { sx: paper, 'aria-label': t`Details` } }}
      >
        {details}
      </Drawer>
    </Suspense>
  )
})
