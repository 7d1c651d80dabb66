import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { useOffers, type Offer } from '../../shared/actions/offers.ts'
import { namesOf } from '../../shared/names-of.ts'
import { actionsAt, keyHints, type Action } from './actions.ts'
import type { Entry } from './entries.ts'
import type { Room } from './use-room.ts'

/** Offers the actions on the chosen lines and on the folder in the command palette. */
export function useRoomOffers({ situation, commands, chosen, title }: Room) {
  const lines = useMemo(() => {
    const actions = chosen.length === 0 ? [] : actionsAt(chosen.length > 1 ? 'bulk' : 'lines', situation, chosen)
    const offers = actions.map((action) => offerOf(action, () => action.run(commands, chosen)))
    return { title: namesOf(chosen), offers, keys: [] }
  }, [situation, commands, chosen])
  const folder = useMemo(() => {
    // Every page already has a way to the trash.
    const actions = actionsAt('background', situation, NONE).filter(({ id }) => id !== 'trash')
    const offers = actions.map((action) => offerOf(action, () => action.run(commands, NONE)))
    return { title, offers, keys: [] }
  }, [situation, commands, title])
  useOffers(lines)
  useOffers(folder)
  useOffers(useMemo(() => ({ title: t`Files`, offers: [], keys: keyHints() }), []))
}

const NONE: readonly Entry[] = []

const offerOf = ({ id, label, icon, shortcut }: Action, run: () => void): Offer => ({
  id: `files-${id}`,
  label: i18n._(label),
  icon,
  shortcut,
  run,
})
