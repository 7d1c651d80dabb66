import { useMemo, useState, type ReactNode } from 'react'
import { createStore } from '../../ui/store.ts'
import { useLatest } from '../../ui/use-latest.ts'
import type { Entry } from '../../shared/listing/entries.ts'
import { useRoomAddress, useRoomListing } from './room-listing.tsx'
import { choose, chooseAll, clear, toggle, type Selection } from '../../shared/listing/selection.ts'
import { useSelection } from './list/use-selection.ts'

interface RoomSelection {
  selection: Selection
  /** The chosen lines, in the order of the list. */
  chosen: readonly Entry[]
  /** On touch screens: a tap chooses a line instead of opening it. */
  choosing: boolean
}

type Steps = ReturnType<typeof useSelection>['steps']

interface Selecting extends Steps {
  /** The selection at the moment of an event, for parts that do not show it. */
  now: () => RoomSelection
  chooseAll: () => void
  chooseAlso: (entry: Entry) => void
  clear: () => void
  showDetails: (entry: Entry | undefined) => void
}

const [SelectionStore, useRoomSelection] = createStore<RoomSelection>('selection')
const [SelectingStore, useSelecting] = createStore<Selecting>('selecting')
export { useRoomSelection, useSelecting }

/** Owns the selection. Parts that show it take the selection; parts that only change it take `useSelecting`. */
export function SelectionOwner({ children }: { children: ReactNode }) {
  const { content, entries, order } = useRoomListing()
  const { selection, steps } = useSelection(useRoomAddress(), content && order)
  const [wantsChoice, setWantsChoice] = useState(false)
  const chosen = useMemo(() => entries.filter(({ key }) => selection.chosen.has(key)), [entries, selection])
  const choosing = wantsChoice && chosen.length > 0
  const room = useMemo(() => ({ selection, chosen, choosing }), [selection, chosen, choosing])
  const latest = useLatest({ room, order })
  const selecting = useMemo<Selecting>(() => {
    const now = () => latest.current.room
    return {
      ...steps,
      now,
      chooseAll: () => steps.select(chooseAll(now().selection, latest.current.order)),
      chooseAlso: (entry) => {
        setWantsChoice(true)
        steps.select(now().choosing ? toggle(now().selection, entry.key) : choose(entry.key))
      },
      clear: () => steps.select(clear(now().selection)),
      showDetails: (entry) => steps.selectWithDetails(entry ? choose(entry.key) : clear(now().selection)),
    }
  }, [steps, latest])
  return (
    <SelectingStore value={selecting}>
      <SelectionStore value={room}>{children}</SelectionStore>
    </SelectingStore>
  )
}
