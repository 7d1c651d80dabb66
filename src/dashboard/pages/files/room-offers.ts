import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useDeferredValue, useMemo } from 'react'
import { keyHintsOf } from '../../shared/actions/action.ts'
import { type KeyHint, useOffers, type Offer } from '../../shared/actions/offers.ts'
import { namesOf } from '../../shared/names-of.ts'
import { actions as ALL, type Action } from './actions.ts'
import { allActionsAt } from './drafts/draft-actions.ts'
import type { Entry } from '../../shared/listing/entries.ts'
import { useRoomCommands } from './room-commands.tsx'
import { useRoomListing } from './room-listing.tsx'
import { useRoomSelection } from './room-selection.tsx'

/** Offers the actions on the chosen lines and on the folder in the command palette. Draws nothing. */
export function RoomOffers() {
  const { situation, title } = useRoomListing()
  const chosen = useDeferredValue(useRoomSelection().chosen)
  const { commands } = useRoomCommands()
  const lines = useMemo(() => {
    const actions = chosen.length === 0 ? [] : allActionsAt(chosen.length > 1 ? 'bulk' : 'lines', situation, chosen)
    const offers = actions.map((action) => offerOf(action, () => action.run(commands, chosen)))
    return { title: namesOf(chosen), offers, keys: [] }
  }, [situation, commands, chosen])
  const folder = useMemo(() => {
    // Every page already has a way to the trash.
    const actions = allActionsAt('background', situation, NONE).filter(({ id }) => id !== 'trash')
    const offers = actions.map((action) => offerOf(action, () => action.run(commands, NONE)))
    return { title, offers, keys: [] }
  }, [situation, commands, title])
  useOffers(lines)
  useOffers(folder)
  useOffers(useMemo(() => ({ title: t`Files`, offers: [], keys: keyHints() }), []))
  return null
}

const NONE: readonly Entry[] = []

const offerOf = ({ id, label, icon, shortcut }: Action, run: () => void): Offer => ({
  id: `files-${id}`,
  label: i18n._(label),
  icon,
  shortcut,
  run,
})

/** All keys of the page, for the list of shortcuts. */
const keyHints = (): KeyHint[] => [
  { keys: t`↑ ↓ Home End`, label: t`Go to a line` },
  { keys: t`Shift+↑↓`, label: t`Select several` },
  { keys: t({ message: 'Space', context: 'key' }), label: t`Select or not` },
  ...keyHintsOf(ALL),
  { keys: t`Esc`, label: t`Clear the selection` },
]
