import { useEffect, useMemo, useState } from 'react'
import { useLatest } from '../../../ui/use-latest.ts'
import { fileKey, type EntryKey } from '../../../shared/listing/entries.ts'
import { choose, NOTHING, retain, type Order, type Selection } from '../../../shared/listing/selection.ts'
import { useFileInUrl, type FilesUrl } from '../use-files-url.ts'

interface Held {
  folderId: number
  selection: Selection
}

/**
 * The selection in the folder of the address, and the functions that change it, which keep their identity within a
 * folder. `order` is undefined until the folder is loaded.
 */
export function useSelection({ folderId, change, later }: FilesUrl, order: Order | undefined) {
  const { file, isFollowed } = useFileInUrl()
  const [held, setHeld] = useState<Held>(() => ({ folderId, selection: chosenInUrl(file) }))
  const [last] = useState(() => new Map<number, EntryKey>())
  useFollowUrl(isFollowed ? file : undefined, folderId, setHeld)
  const raw = held.folderId === folderId ? held.selection : comingTo(file, last.get(folderId))
  const selection = useMemo(() => (order ? retain(raw, order) : raw), [raw, order])

  const fileInUrl = useLatest(file)
  const steps = useMemo(() => {
    const hold = (next: Held) => {
      setHeld(next)
      if (next.selection.active) last.set(next.folderId, next.selection.active)
    }
    return {
      select: (next: Selection) => {
        hold({ folderId, selection: next })
        const only = onlyFile(next)
        later(() => only !== fileInUrl.current && change({ file: only }))
      },
      /** Chooses lines and opens the details in one step of the history. */
      selectWithDetails: (next: Selection) => {
        hold({ folderId, selection: next })
        later()
        change({ file: onlyFile(next), details: true }, true)
      },
      /** Chooses lines in a folder before the page goes there. */
      prepare: hold,
    }
  }, [folderId, change, later, last, fileInUrl])
  return { selection, steps }
}

/** Takes over a file that did not come from this page but from Back, Forward or a link. */
function useFollowUrl(file: number | undefined, folderId: number, setHeld: (held: Held) => void) {
  useEffect(() => {
    if (file !== undefined) setHeld({ folderId, selection: chosenInUrl(file) })
  }, [file, folderId, setHeld])
}

/** On the return to a folder its last active line is chosen again, so that it is in view. */
const comingTo = (file: number | undefined, last: EntryKey | undefined): Selection =>
  file === undefined && last ? choose(last) : chosenInUrl(file)

const chosenInUrl = (file: number | undefined): Selection => (file === undefined ? NOTHING : choose(fileKey(file)))

/** Returns the chosen file if it is the only chosen line. */
function onlyFile({ chosen }: Selection): number | undefined {
  const [key] = chosen
  return chosen.size === 1 && key?.startsWith('file-') ? Number(key.slice('file-'.length)) : undefined
}
