import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigationType } from 'react-router-dom'
import { fileKey } from './entries.ts'
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
  useFollowUrl(url, setHeld)
  const raw = held.folderId === folderId ? held.selection : chosenInUrl(file)
  const selection = useMemo(() => (order ? retain(raw, order) : raw), [raw, order])

  const writeSoon = useLater(folderId)
  const select = useCallback(
    (next: Selection) => {
      setHeld({ folderId, selection: next })
      const only = onlyFile(next)
      writeSoon(() => only !== file && change({ file: only }))
    },
    [folderId, file, change, writeSoon],
  )
  /** Chooses and opens the details, in one step of the history. */
  const selectWithDetails = (next: Selection) => {
    setHeld({ folderId, selection: next })
    writeSoon(undefined)
    change({ file: onlyFile(next), details: true }, true)
  }
  return { selection, select, selectWithDetails, prepare: setHeld }
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

const chosenInUrl = (file: number | undefined): Selection => (file === undefined ? NOTHING : choose(fileKey(file)))

/** The chosen file, where it is the only chosen line. */
function onlyFile({ chosen }: Selection): number | undefined {
  const [key] = chosen
  return chosen.size === 1 && key?.startsWith('file-') ? Number(key.slice('file-'.length)) : undefined
}
