import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigationType } from 'react-router-dom'
import { fileKey, type EntryKey } from './entries.ts'
import { choose, NOTHING, retain, type Order, type Selection } from './selection.ts'
import type { FilesUrl } from './use-files-url.ts'

/** The address follows the arrows when they rest this long, in milliseconds. */
const REST = 200

interface Held {
  folderId: number
  selection: Selection
}

/** The selection in the folder of the address; `order` is undefined until the folder is loaded. */
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
  /** Chooses and opens the details, in one step of the history. */
  const selectWithDetails = (next: Selection) => {
    hold({ folderId, selection: next })
    writeSoon(undefined)
    change({ file: onlyFile(next), details: true }, true)
  }
  /** The address is not to follow any more: something else goes into it now. */
  const settle = () => writeSoon(undefined)
  return { selection, select, selectWithDetails, prepare: hold, settle }
}

/** Does the last thing asked for, after a rest; in another folder nothing of before. */
function useLater(folderId: number) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- leaving the folder is what ends the wait
  useEffect(() => () => clearTimeout(timer.current), [folderId])
  return useCallback((work: (() => void) | undefined) => {
    clearTimeout(timer.current)
    if (work) timer.current = setTimeout(work, REST)
  }, [])
}

/** Takes over a file that somebody else put into the address: Back, Forward, a link. */
function useFollowUrl({ folderId, file, isOwn }: FilesUrl, setHeld: (held: Held) => void) {
  const isFollowed = useNavigationType() === 'POP' || !isOwn
  useEffect(() => {
    if (isFollowed && file !== undefined) setHeld({ folderId, selection: chosenInUrl(file) })
  }, [isFollowed, folderId, file, setHeld])
}

/** Back in a folder, the line one was at is chosen again, so that it is in sight. */
const comingTo = (file: number | undefined, last: EntryKey | undefined): Selection =>
  file === undefined && last ? choose(last) : chosenInUrl(file)

const chosenInUrl = (file: number | undefined): Selection => (file === undefined ? NOTHING : choose(fileKey(file)))

/** The chosen file, where it is the only chosen line. */
function onlyFile({ chosen }: Selection): number | undefined {
  const [key] = chosen
  return chosen.size === 1 && key?.startsWith('file-') ? Number(key.slice('file-'.length)) : undefined
}
