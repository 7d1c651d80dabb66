import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { createConverter } from '../../service/documents/convert/convert.ts'
import { openOfficeEngine } from '../../service/documents/convert/engine/office-engine.ts'
import { pagesOf } from '../../service/documents/formats.ts'
import { reasonWithoutPreview } from '../../service/documents/pages/pages-of.ts'
import { DocumentFault, openRenderer, type Source } from '../../service/documents/render.ts'
import { detectType } from '../../service/documents/upload/detect-type.ts'
import { searchWords } from '../../service/store/search/search-words.ts'

export interface Reading {
  /** Why there are no pages; undefined if there are. */
  reason: string | undefined
  words: readonly string[]
  /** From the bytes to the image of the first page. */
  ms: number
}

/** Reads files as a worker does. With `engine`, as on a machine without LibreOffice. */
export function openOurs({ engine: hasEngine }: { engine: boolean }) {
  const renderer = openRenderer({ size: 1, niceness: 0 })
  const engine = openOfficeEngine()
  const absent = { office: [], heif: [] }
  const options = hasEngine ? { engine, programs: absent } : {}
  const converter = createConverter({ sandboxing: 'bubblewrap', renderer, ...options })

  async function sourceOf(path: string, type: string, folder: string): Promise<Source> {
    if (pagesOf(type).marked === 'nothing') throw new DocumentFault(reasonWithoutPreview(type))
    if (pagesOf(type).tool === undefined) return { path, type }
    const obstacle = await converter.obstacle(type)
    if (obstacle !== undefined) throw new DocumentFault(obstacle)
    await mkdir(folder)
    const made = await converter.convert(path, type, folder)
    return { path: made.path, type: made.content_type }
  }

  async function textOf(file: Source, shown: Source, pages: number): Promise<string> {
    const own = await renderer.extractText(file)
    if (own !== undefined) return own
    return shown.type === 'application/pdf' ? (await renderer.text(shown, pages)).join('\n') : ''
  }

  return {
    async read(path: string, name: string, folder: string): Promise<Reading> {
      if (hasEngine) await untilIdle()
      const begun = performance.now()
      const type = await detectType((await readFile(path)).subarray(0, 4096), name)
      try {
        const shown = await sourceOf(path, type, folder)
        const boxes = await renderer.boxes(shown)
        await renderer.page(shown, 1)
        const ms = performance.now() - begun
        return { reason: undefined, ms, words: searchWords(await textOf({ path, type }, shown, boxes.length)) }
      } catch (error) {
        if (!(error instanceof DocumentFault)) throw error
        return { reason: error.message, words: [], ms: performance.now() - begun }
      }
    },
    close: () => Promise.all([engine.close(), renderer.close()]),
  }
}

const STILL_MS = 400

/** Waits until the processes that are started ahead have started. */
async function untilIdle(): Promise<void> {
  for (let before = -1; ;) {
    const used = ticksOfChildren()
    if (used - before <= 2 && before >= 0) return
    before = used
    await wait(STILL_MS)
  }
}

function ticksOfChildren(): number {
  let ticks = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
      if (Number(fields[1]) === process.pid) ticks += Number(fields[11]) + Number(fields[12])
    } catch {
      // The process has ended.
    }
  }
  return ticks
}
