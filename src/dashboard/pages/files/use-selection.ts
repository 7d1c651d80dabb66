import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigationType } from 'react-router-dom'
import { fileKey, type EntryKey } from './entries.ts'
import { choose, NOTHING, retain, type Order, type Selection } from './selection.ts'
import type { FilesUrl } from './use-files-url.ts'

/** The address follows the arrow keys after they rest this long, in milliseconds. */
const REST = 200

interface Held {
  folderId: number
  selection: Selection
}

/** The selection in the folder of the address. `order` is undefined until the folder is loaded. */
export function useSelection(url: FilesUrl, order: Order | undefined) {
  const { folderId, file, change } = url
  const [held, setHeld] = useState<Held>(() => ({ folderId, selection: chosenInUrl(file) }))
  const [last] = useState(() => new Map<number, EntryKey>())
  useFollowUrl(url, setHeld)
  const raw = held.folderId === folderId ? held.selection : comingTo(file, last.get(folderId))
  const selection = useMemo(() => (order ? retain(raw, order) : raw), [raw, order])

  const writeSoon = useLater(folderId)
  const hold = useCallback(
    (next: Held) => {
      setHeld(next)
      if (next.selection.active) last.set(next.folderId, next.selection.active)
    },
    [last],
  )
  const select = useCallback(
    (next: Selection) => {
      hold({ folderId, selection: next })
      const only = onlyFile(next)
      writeSoon(() => only !== file && change({ file: only }))
    },
    [folderId, file, change, writeSoon, hold],
  )
  /** Chooses lines and opens the details in one step of the history. */
  const selectWithDetails = (next: Selection) => {
    hold({ folderId, selection: next })
    writeSoon(undefined)
    change({ file: onlyFile(next), details: true }, true)
  }
  /** Drops a pending change of the address, because another one replaces it. */
  const settle = () => writeSoon(undefined)
  return { selection, select, selectWithDetails, prepare: hold, settle }
}

/** Runs the latest work after a rest. Leaving the folder cancels it. */
function useLater(folderId: number) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- leaving the folder is what ends the wait
  useEffect(() => () => clearTimeout(timer.current), [folderId])
  return useCallback((work: (() => void) | undefined) => {
    clearTimeout(timer.current)
    if (work) timer.current = setTimeout(work, REST)
  }, [])
}

/** Takes over a file that did not come from this page but from Back, Forward or a link. */
function useFollowUrl({ folderId, file, isOwn }: FilesUrl, setHeld: (held: Held) => void) {
  const isFollowed = useNavigationType() === 'POP' || !isOwn
  useEffect(() => {
    if (isFollowed && file !== undefined) setHeld({ folderId, selection: chosenInUrl(file) })
  }, [isFollowed, folderId, file, setHeld])
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
