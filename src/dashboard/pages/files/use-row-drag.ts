import { useCallback, useEffect, useState, type DragEvent } from 'react'
import { namesOf } from '../../shared/names-of.ts'
import { destinationOf, refusalOf, type Destination } from './destinations.ts'
import type { Entry, EntryKey } from './entries.ts'
import { choose, type Order, type Selection } from './selection.ts'
import { folderUnder, keyUnder } from './under.ts'
import type { Tree } from './use-tree.ts'

/** A closed folder opens when a drag rests on it this long, in milliseconds. */
const REST = 700

interface RowDragOptions {
  entries: readonly Entry[]
  order: Order
  selection: Selection
  onSelect: (selection: Selection) => void
  folderId: number
  workspaceName: string
  tree: Tree
  mayMove: (entries: readonly Entry[]) => boolean
  onMove: (entries: readonly Entry[], to: Destination) => void
  /** Whether files from outside may be dropped on any folder. */
  takesFiles: boolean
}

/** Drags lines of the list, or files from outside, onto folders in the list or in the tree. */
export function useRowDrag(options: RowDragOptions) {
  const { entries, order, selection, tree } = options
  const [dragged, setDragged] = useState<readonly Entry[]>([])
  const [target, setTarget] = useState<Destination>()
  useOpenOnRest(tree, target)

  const entryUnder = (event: DragEvent) => entries[order.placeOf.get(keyUnder(event) ?? 'file-0') ?? -1]
  const end = useCallback(() => {
    setDragged([])
    setTarget(undefined)
  }, [])
  const start = (event: DragEvent) => {
    const entry = entryUnder(event)
    if (!entry) return
    const isChosen = selection.chosen.has(entry.key)
    const wanted = isChosen ? entries.filter(({ key }) => selection.chosen.has(key)) : [entry]
    if (!options.mayMove(wanted)) return event.preventDefault()
    if (!isChosen) options.onSelect(choose(entry.key))
    event.dataTransfer.effectAllowed = 'move'
    event.dataTransfer.setData('text/plain', namesOf(wanted))
    setDragged(wanted)
  }
  const over = (event: DragEvent, to: Destination | undefined) => {
    if (dragged.length === 0) return
    const isWelcome = to && refusalOf('move', dragged, options.folderId, to) === undefined
    event.preventDefault()
    event.dataTransfer.dropEffect = isWelcome ? 'move' : 'none'
    if ((isWelcome ? to.id : undefined) !== target?.id) setTarget(isWelcome ? to : undefined)
  }
  const drop = (event: DragEvent) => {
    if (dragged.length === 0) return
    event.preventDefault()
    if (target) options.onMove(dragged, target)
    end()
  }
  const inList = (event: DragEvent): Destination | undefined => {
    const entry = entryUnder(event)
    return entry?.kind === 'folder' ? entry.source : undefined
  }
  const inTree = (event: DragEvent): Destination | undefined => {
    const id = folderUnder(event)
    const row = tree.rows.find((row) => row.id === id)
    return row && destinationOf(row, options.workspaceName)
  }
  const overWithFiles = (event: DragEvent) => {
    if (dragged.length > 0 || !options.takesFiles) return
    const to = inTree(event) ?? inList(event)
    if (to?.id !== target?.id) setTarget(to)
  }
  const keys = new Set(dragged.map(({ key }) => key))
  return {
    handlers: {
      onDragStart: start,
      onDragEnd: end,
      onDragOver: (event: DragEvent) => over(event, inList(event)),
      onDrop: drop,
    },
    treeHandlers: { onDragOver: (event: DragEvent) => over(event, inTree(event)), onDrop: drop },
    files: { into: dragged.length > 0 ? undefined : target, onOver: overWithFiles, onEnd: end },
    target: target?.id,
    stateOf: (key: EntryKey) => stateOf(key, keys, target),
  }
}

export type RowDrag = ReturnType<typeof useRowDrag>

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
