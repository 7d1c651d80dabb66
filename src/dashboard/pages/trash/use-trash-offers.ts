import { t } from '@lingui/core/macro'
import { ArchiveRestore } from 'lucide-react'
import { useMemo } from 'react'
import { useOffers } from '../../shared/actions/offers.ts'
import { namesOf } from '../../shared/names-of.ts'
import type { TrashItem } from './trash.ts'

/** Offers to restore the chosen lines in the command palette. */
export function useTrashOffers(chosen: readonly TrashItem[], restore: (items: readonly TrashItem[]) => void) {
  const offered = useMemo(() => {
    const run = () => restore(chosen)
    const offers = chosen.length === 0 ? [] : [{ id: 'trash-restore', label: t`Restore`, icon: ArchiveRestore, run }]
    return { title: namesOf(chosen), offers, keys: [] }
  }, [chosen, restore])
  useOffers(offered)
}
