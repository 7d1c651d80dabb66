import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { withWorkFolder } from './convert/work-folder.ts'
import type { IndexTask } from './layout/set-index.ts'
import type { Renderer } from './render.ts'
import { requireSpace } from './upload/require-space.ts'

export interface IndexPrinter {
  /** Returns the index as a PDF, in pieces of base64. */
  print(
    rows: AsyncIterable<unknown>,
    task: Omit<IndexTask, 'source' | 'target'>,
    user: number,
  ): Promise<AsyncIterable<string>>
}

/** A multiple of three, so that the pieces can be decoded one by one. */
const PIECE_BYTES = 48 * 1024

export function createIndexPrinter(renderer: Renderer, folder: string): IndexPrinter {
  return {
    async print(rows, task, user) {
      await requireSpace(folder)
      const pdf = await withWorkFolder(folder, async (own) => {
        const [source, target] = [join(own, 'rows'), join(own, 'index.pdf')]
        await pipeline(Readable.from(linesOf(rows)), createWriteStream(source, { mode: 0o600 }))
        await renderer.setIndex({ ...task, source, target }, { user })
        return readFile(target)
      })
      return piecesOf(pdf)
    },
  }
}

async function* linesOf(rows: AsyncIterable<unknown>): AsyncIterable<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`
}

async function* piecesOf(pdf: Buffer): AsyncIterable<string> {
  for (let at = 0; at < pdf.length; at += PIECE_BYTES) yield pdf.toString('base64', at, at + PIECE_BYTES)
}
