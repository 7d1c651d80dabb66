import { plural, t } from '@lingui/core/macro'
import { useRef, type ReactNode } from 'react'
import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { call } from '../../../api/client.ts'
import { messageOf } from '../../../api/failures.ts'
import { refresh } from '../../../api/query.ts'
import { doneWords, type Transfer } from '../../../shared/listing/bulk-words.ts'
import { isFolder, type Entry } from '../../../shared/listing/entries.ts'
import type { Workspace } from '../../../shared/listing/folder-query.ts'
import { renamedWords, type Renamed } from '../../../shared/listing/renamed-words.ts'
import { namesOf } from '../../../shared/names-of.ts'
import { useConflicts, type Arriving } from '../../../shared/uploads/conflicts/use-conflicts.tsx'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { TRANSFERS_AT_ONCE, transferEntry } from './change-calls.ts'

type Arrival = Reply<typeof api.files.move> | Reply<typeof api.folders.move>

/** Moves or copies entries, asks about names that are taken, tells what came of them, and can undo it. */
export function useTransfer(verb: Transfer, workspace: Workspace, entries: readonly Entry[], to: number) {
  const { begin, settle, dialog } = useConflicts(workspace.id)
  const arrivals = useRef(new Map<Entry, Arrival>())
  const toasts = useToasts()
  const undo = async (done: readonly Entry[]) => {
    try {
      // The last one first, so that each finds its former index.
      for (const entry of done.toReversed()) await undoEntry(workspace.id, entry, arrivals.current.get(entry))
      const names = namesOf(done)
      toasts.done(verb === 'move' ? t`${names} moved back.` : t`${names}: copy undone.`)
    } catch (error) {
      const reason = messageOf(error)
      toasts.failed(t`Not everything could be undone. ${reason}`)
    }
    void refresh()
  }
  return {
    atOnce: TRANSFERS_AT_ONCE,
    begin: () => {
      arrivals.current.clear()
      begin(entries.map((entry) => arrivingOf(entry, to)))
    },
    work: async (entry: Entry) => {
      const conflict = await settle(arrivingOf(entry, to))
      if (conflict === 'skip') return
      arrivals.current.set(entry, await transferEntry(verb, workspace.id, entry, to, conflict))
    },
    renamed: (done: readonly Entry[]) => renamedWords(renamesIn(done, arrivals.current)),
    inWords: (done: readonly Entry[], name: string) => transferredWords(verb, done, arrivals.current, name),
    undo: (done: readonly Entry[]) => void undo(done.filter((entry) => arrivals.current.get(entry)?.undo_id)),
    /** Not if its name was taken and it was left where it is. */
    isDone: (entry: Entry) => arrivals.current.has(entry),
    /** Whether any of them can be undone. */
    isUndoable: (done: readonly Entry[]) => done.some((entry) => arrivals.current.get(entry)?.undo_id),
    questions: dialog as ReactNode,
  }
}

function arrivingOf(entry: Entry, destination: number): Arriving {
  const { kind, key } = entry
  if (isFolder(entry)) return { kind, key, name: entry.name, destination }
  return { kind, key, name: entry.source.file_name, file: entry.source, destination }
}

async function undoEntry(workspaceId: number, { kind }: Entry, arrival: Arrival | undefined) {
  if (!arrival?.undo_id) return
  const input = { params: { id: arrival.id }, body: { workspace_id: workspaceId, undo_id: arrival.undo_id } }
  await call(kind === 'folder' ? api.folders.undo : api.files.undo, input)
}

/** "“Plan.pdf” moved to “Archive” as “Plan (2).pdf”." or "3 files moved to “Archive”. “Plan.pdf” is now “Plan (2).pdf”." */
function transferredWords(
  verb: Transfer,
  done: readonly Entry[],
  arrivals: ReadonlyMap<Entry, Arrival>,
  to: string,
): string {
  const arrived = done.filter((entry) => arrivals.has(entry))
  const [first] = arrived
  if (!first) return verb === 'move' ? t`Nothing was moved.` : t`Nothing was copied.`
  const arrival = arrivals.get(first)
  const skipped = done.length - arrived.length
  if (arrived.length === 1 && arrival)
    return [oneWords(verb, first, arrival, to), ...countedWords(0, skipped)].join(' ')
  const replaced = arrived.filter((entry) => arrivals.get(entry)?.outcome === 'replaced').length
  return [
    doneWords(verb, namesOf(arrived), to),
    ...renamedWords(renamesIn(arrived, arrivals)),
    ...countedWords(replaced, skipped),
  ].join(' ')
}

const renamesIn = (done: readonly Entry[], arrivals: ReadonlyMap<Entry, Arrival>): Renamed[] =>
  done.flatMap((entry) => {
    const arrival = arrivals.get(entry)
    return arrival?.outcome === 'renamed' ? [{ before: entry.name, now: nameOf(arrival) }] : []
  })

const nameOf = (arrival: Arrival) => ('title' in arrival ? arrival.title : arrival.name)

function oneWords(verb: Transfer, entry: Entry, arrival: Arrival, to: string): string {
  const before = entry.name
  const name = nameOf(arrival)
  if (arrival.outcome === 'renamed')
    return verb === 'move'
      ? t`“${before}” moved to “${to}” as “${name}”.`
      : t`“${before}” copied to “${to}” as “${name}”.`
  if (arrival.outcome !== 'replaced' || !('version' in arrival)) return doneWords(verb, namesOf([entry]), to)
  const { version } = arrival
  return verb === 'move'
    ? t`“${before}” moved to “${to}”: it is version ${version} of “${name}”.`
    : t`“${before}” copied to “${to}”: it is version ${version} of “${name}”.`
}

const countedWords = (replaced: number, skipped: number): string[] => [
  ...(replaced > 0 ? [plural(replaced, { one: '# became a new version.', other: '# became new versions.' })] : []),
  ...(skipped > 0 ? [plural(skipped, { one: '# was skipped.', other: '# were skipped.' })] : []),
]
