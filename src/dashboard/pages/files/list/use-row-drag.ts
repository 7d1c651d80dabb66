import { useEffect, useMemo, useState, type DragEvent } from 'react'
import { namesOf } from '../../../shared/names-of.ts'
import { createStore } from '../../../ui/store.ts'
import { useLatest } from '../../../ui/use-latest.ts'
import { actionsAt, type Situation } from '../actions.ts'
import { destinationIn, destinationOf, refusalOf, type Destination } from '../change/destinations.ts'
import type { Entry, EntryKey } from '../../../shared/listing/entries.ts'
import { useRoomCommands } from '../room-commands.tsx'
import { useRoomAddress, useRoomListing, useRoomTree } from '../room-listing.tsx'
import { useSelecting } from '../room-selection.tsx'
import { choose } from '../../../shared/listing/selection.ts'
import { folderUnder, keyUnder } from '../tree/under.ts'
import type { Tree } from '../tree/use-tree.ts'

/** A closed folder opens after a drag has rested on it for this long, in milliseconds. */
const REST = 700

const NONE: readonly Entry[] = []

/** Drags lines of the list, or files from outside, onto folders in the list or in the tree. */
export function useRowDrag() {
  const address = useRoomAddress()
  const listing = useRoomListing()
  const tree = useRoomTree()
  const { drop: move } = useRoomCommands()
  const selecting = useSelecting()
  const [dragged, setDragged] = useState(NONE)
  const [target, setTarget] = useState<Destination>()
  useOpenOnRest(tree, target)
  const latest = useLatest({ address, listing, tree, dragged, target })

  const handlers = useMemo(() => {
    const entryUnder = (event: DragEvent) => {
      const { entries, order } = latest.current.listing
      return entries[order.placeOf.get(keyUnder(event) ?? 'file-0') ?? -1]
    }
    const end = () => {
      setDragged(NONE)
      setTarget(undefined)
    }
    const start = (event: DragEvent) => {
      const entry = entryUnder(event)
      if (!entry) return
      const { selection, chosen } = selecting.now()
      const isChosen = selection.chosen.has(entry.key)
      const wanted = isChosen ? chosen : [entry]
      if (!mayMove(latest.current.listing.situation, wanted)) return event.preventDefault()
      if (!isChosen) selecting.select(choose(entry.key))
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setData('text/plain', namesOf(wanted))
      setDragged(wanted)
    }
    const welcome = (to: Destination | undefined) => {
      const { dragged, address } = latest.current
      return to && refusalOf('move', dragged, address.folderId, to) === undefined ? to : undefined
    }
    const over = (event: DragEvent, under: Destination | undefined) => {
      const { dragged, target } = latest.current
      if (dragged.length === 0) return
      const to = welcome(under)
      event.preventDefault()
      event.dataTransfer.dropEffect = to ? 'move' : 'none'
      if (to?.id !== target?.id) setTarget(to)
    }
    // A drop asks for the folder under it again: `target` may not be rendered yet.
    const drop = (event: DragEvent, under: Destination | undefined) => {
      const { dragged } = latest.current
      if (dragged.length === 0) return
      event.preventDefault()
      const to = welcome(under)
      if (to) move(dragged, to)
      end()
    }
    const inList = (event: DragEvent): Destination | undefined => {
      const entry = entryUnder(event)
      return entry?.kind === 'folder' ? destinationIn(entry.source) : undefined
    }
    const inTree = (event: DragEvent): Destination | undefined => {
      const { tree, address } = latest.current
      const id = folderUnder(event)
      const row = tree.rows.find((row) => row.id === id)
      return row && destinationOf(row, address.workspace.name)
    }
    /** Admins may drop files from outside on any folder. */
    const folderOfFiles = (event: DragEvent) => {
      const { dragged, address } = latest.current
      if (dragged.length > 0 || !address.workspace.admin) return undefined
      return inTree(event) ?? inList(event)
    }
    const overWithFiles = (event: DragEvent) => {
      const to = folderOfFiles(event)
      if (latest.current.dragged.length === 0 && to?.id !== latest.current.target?.id) setTarget(to)
    }
    return {
      list: {
        onDragStart: start,
        onDragEnd: end,
        onDragOver: (event: DragEvent) => over(event, inList(event)),
        onDrop: (event: DragEvent) => drop(event, inList(event)),
      },
      tree: {
        onDragOver: (event: DragEvent) => over(event, inTree(event)),
        onDrop: (event: DragEvent) => drop(event, inTree(event)),
      },
      files: { folderAt: folderOfFiles, onOver: overWithFiles, onEnd: end },
    }
  }, [latest, selecting, move])

  const drag = useMemo(() => {
    const keys = new Set(dragged.map(({ key }) => key))
    return {
      listHandlers: handlers.list,
      treeHandlers: handlers.tree,
      target: target?.id,
      stateOf: (key: EntryKey) => stateOf(key, keys, target),
    }
  }, [handlers, dragged, target])
  return { drag, files: { ...handlers.files, into: dragged.length > 0 ? undefined : target } }
}

export type RowDrag = ReturnType<typeof useRowDrag>['drag']

export const [DragStore, useDrag] = createStore<RowDrag>('dragging')

const mayMove = (situation: Situation, entries: readonly Entry[]) =>
  actionsAt('lines', situation, entries).some(({ id }) => id === 'move')

function stateOf(key: EntryKey, dragged: ReadonlySet<EntryKey>, target: Destination | undefined) {
  if (dragged.has(key)) return 'dragged'
  return target && key === `folder-${target.id}` ? 'target' : undefined
}

function useOpenOnRest({ toggle }: Tree, target: Destination | undefined) {
  const id = target?.id
  useEffect(() => {
    if (id === undefined) return undefined
    const timer = setTimeout(() => toggle(id, true), REST)
    return () => clearTimeout(timer)
  }, [id, toggle])
}
