import { LARGEST, SMALLEST, type Zoom } from './page-layout.ts'

/** Where the user stopped reading a file: its zoom, a page, and the share of the page above the window. */
export interface KeptPlace {
  zoom: Zoom
  page: number
  share: number
}

/** Holds no names and no text, since the browser keeps it until another user reads here. */
interface Kept {
  userId: number
  /** By file, the latest first. */
  places: [fileId: number, place: KeptPlace][]
}

const KEY = 'strongroom-places'
const MOST = 100

export function keptPlace(userId: number, fileId: number): KeptPlace | undefined {
  return keptOf(userId).find(([id]) => id === fileId)?.[1]
}

export function keepPlace(userId: number, fileId: number, place: KeptPlace) {
  const others = keptOf(userId).filter(([id]) => id !== fileId)
  const isBeginning = place.zoom === 'auto' && place.page === 1 && place.share <= 0
  const places = isBeginning ? others : [[fileId, place] as const, ...others].slice(0, MOST)
  try {
    localStorage.setItem(KEY, JSON.stringify({ userId, places }))
  } catch {
    // Without storage every file opens at its beginning.
  }
}

function keptOf(userId: number): Kept['places'] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Kept | null
    return kept?.userId === userId && Array.isArray(kept.places) ? kept.places.filter(isValid) : []
  } catch {
    return []
  }
}

function isValid(entry: unknown): boolean {
  if (!Array.isArray(entry)) return false
  const [fileId, place] = entry as [unknown, Partial<KeptPlace> | null]
  const { zoom, page, share } = place ?? {}
  const isZoom =
    typeof zoom === 'number' ? zoom >= SMALLEST && zoom <= LARGEST : ['auto', 'width', 'page'].includes(zoom ?? '')
  return isZoom && [fileId, page].every((each) => Number.isSafeInteger(each)) && Number.isFinite(share)
}
