import type { Marking } from '../../../store/downloads/marks.ts'
import { drawLayers } from './draw-layers.ts'
import { type PageSize, planMark } from './placement.ts'

/** The pixels of a mark that are not transparent, a tenth of all: little to store, and little to do on every page. */
export interface Overlay {
  places: Uint32Array
  /** Premultiplied red, green and blue, and the share that remains of the page (255 minus alpha). */
  colours: Uint8Array
}

export interface Overlays {
  /** Returns the same overlay until the reader's clock shows another minute. */
  get(marking: Marking, size: PageSize): Promise<Overlay>
}

const MAX_BYTES = 96 * 1024 * 1024
/** Letters do not shrink any further on a picture smaller than this square, because they would become illegible. */
const LEGIBLE_SIDE = 600
const MAX_ENLARGED = 10

export const enlargedFor = ({ width, height }: PageSize): number =>
  Math.min(MAX_ENLARGED, Math.max(1, LEGIBLE_SIDE / Math.sqrt(width * height)))

/** Creates a cache that keeps the overlays used last. */
export function createOverlays(): Overlays {
  const kept = new Map<string, Promise<Overlay>>()
  const sizes = new Map<string, number>()
  let total = 0

  function forget(key: string): void {
    kept.delete(key)
    total -= sizes.get(key) ?? 0
    sizes.delete(key)
  }

  async function draw(key: string, marking: Marking, size: PageSize): Promise<Overlay> {
    try {
      const overlay = await drawOverlay(marking, size)
      sizes.set(key, overlay.places.byteLength + overlay.colours.byteLength)
      total += sizes.get(key) ?? 0
      for (const oldest of kept.keys()) if (total > MAX_BYTES && oldest !== key) forget(oldest)
      return overlay
    } catch (error) {
      forget(key)
      throw error
    }
  }

  return {
    get(marking, size) {
      const key = keyOf(marking, size)
      const known = kept.get(key) ?? draw(key, marking, size)
      kept.delete(key)
      kept.set(key, known)
      return known
    },
  }
}

function keyOf({ looks, reader }: Marking, { width, height }: PageSize): string {
  const minute = Math.floor(reader.at.getTime() / 60_000)
  return JSON.stringify([width, height, minute, { ...reader, at: 0 }, looks])
}

async function drawOverlay({ looks, reader }: Marking, size: PageSize): Promise<Overlay> {
  const pixels = await drawLayers(planMark(looks, reader, size, enlargedFor(size)))
  let count = 0
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 0) count++
  const overlay = { places: new Uint32Array(count), colours: new Uint8Array(count * 4) }
  for (let pixel = 0, next = 0; next < count; pixel++) {
    const alpha = pixels[pixel * 4 + 3] ?? 0
    if (alpha === 0) continue
    overlay.places[next] = pixel
    overlay.colours.set(pixels.subarray(pixel * 4, pixel * 4 + 3), next * 4)
    overlay.colours[next * 4 + 3] = 255 - alpha
    next++
  }
  return overlay
}

/** Blends a mark into raw pixels, three bytes each, in place. */
export function blend(pixels: Uint8Array, { places, colours }: Overlay): void {
  for (let index = 0; index < places.length; index++) {
    const at = (places[index] ?? 0) * 3
    const from = index * 4
    const rest = colours[from + 3] ?? 0
    pixels[at] = (colours[from] ?? 0) + ((pixels[at] ?? 0) * rest + 127) / 255
    pixels[at + 1] = (colours[from + 1] ?? 0) + ((pixels[at + 1] ?? 0) * rest + 127) / 255
    pixels[at + 2] = (colours[from + 2] ?? 0) + ((pixels[at + 2] ?? 0) * rest + 127) / 255
  }
}
