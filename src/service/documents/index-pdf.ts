import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { withWorkFolder } from './convert/work-folder.ts'
import type { EngagementReport } from '../store/engagement/engagement-report.ts'
import type { ReportTask } from './layout/report/set-report.ts'
import type { IndexTask } from './layout/set-index.ts'
import type { SheetTask } from './layout/set-sheet.ts'
import type { Renderer } from './render.ts'
import { requireSpace } from './upload/require-space.ts'

type Asked<Task> = Omit<Task, 'source' | 'target'>

export interface IndexPrinter {
  /** Returns the index as a PDF, in pieces of base64. */
  print(rows: AsyncIterable<unknown>, task: Asked<IndexTask>, user: number): Promise<AsyncIterable<string>>
  /** The same for a table of texts. */
  printSheet(rows: AsyncIterable<string[]>, task: Asked<SheetTask>, user: number): Promise<AsyncIterable<string>>
  /** The same for a report of the engagement. */
  printReport(report: EngagementReport, task: Asked<ReportTask>, user: number): Promise<AsyncIterable<string>>
}

/** A multiple of three, so that the pieces can be decoded one by one. */
const PIECE_BYTES = 48 * 1024

export function createIndexPrinter(renderer: Renderer, folder: string): IndexPrinter {
  const print = async (
    rows: AsyncIterable<unknown> | unknown[],
    set: (source: string, target: string) => Promise<void>,
  ) => {
    await requireSpace(folder)
    const pdf = await withWorkFolder(folder, async (own) => {
      const [source, target] = [join(own, 'rows'), join(own, 'printed.pdf')]
      await pipeline(Readable.from(linesOf(rows)), createWriteStream(source, { mode: 0o600 }))
      await set(source, target)
      return readFile(target)
    })
    return piecesOf(pdf)
  }
  return {
    print: (rows, task, user) =>
      print(rows, (source, target) => renderer.setIndex({ ...task, source, target }, { user })),
    printSheet: (rows, task, user) =>
      print(rows, (source, target) => renderer.setSheet({ ...task, source, target }, { user })),
    printReport: (report, task, user) =>
      print([report], (source, target) => renderer.setReport({ ...task, source, target }, { user })),
  }
}

async function* linesOf(rows: AsyncIterable<unknown> | unknown[]): AsyncIterable<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`
}

async function* piecesOf(pdf: Buffer): AsyncIterable<string> {
  for (let at = 0; at < pdf.length; at += PIECE_BYTES) yield pdf.toString('base64', at, at + PIECE_BYTES)
}
