import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { toPdf } from './overlay-pdf.ts'
import { type Dump, type PdfPage, readStructure } from './pdf-structure.ts'
import type { Mark, PageSize } from './placement.ts'
import { type ExitCode, openQpdf, type Qpdf } from './qpdf.ts'

/** qpdf cannot do anything with it. */
export class QpdfFailure extends Error {}

export interface Stamped {
  /** Pages. */
  count: number
  /** Nothing had to be guessed or left out. */
  isWhole: boolean
}

/** How much two pages may differ and still share a mark, which is scaled to the page: the rest stays at its edge. */
const SIMILAR = 0.02

/**
 * Lays the mark over every page of a PDF. The page becomes a form of its own first, so that nothing it leaves behind
 * touches the mark. What would show the pages without it goes: signatures, attachments, XFA, thumbnails, what lies
 * outside of the crop box. Annotations other than links become part of the page, below the mark.
 * `work` is a path for files in between.
 * @throws QpdfFailure
 */
export async function stampPdf(
  source: string,
  target: string,
  work: string,
  markFor: (page: PageSize) => Mark,
): Promise<Stamped> {
  const qpdf = await openQpdf()
  const codes: ExitCode[] = []
  const files = {
    dump: `${work}.dump.json`,
    repairs: `${work}.repairs.json`,
    plain: `${work}.plain.pdf`,
    overlay: `${work}.overlay.pdf`,
  }
  try {
    codes.push(run(qpdf, [qpdf.mount(source), '--json-output', '--json-stream-data=none', qpdf.mount(files.dump)]))
    const { pages, repairs, isAnnotated } = readStructure(JSON.parse(readFileSync(files.dump, 'utf8')) as Dump)
    writeFileSync(files.repairs, JSON.stringify(repairs))
    const flatten = isAnnotated ? ['--generate-appearances', '--flatten-annotations=all'] : []
    const repair = ['--decrypt', '--remove-restrictions', `--update-from-json=${qpdf.mount(files.repairs)}`, ...flatten]
    codes.push(run(qpdf, [qpdf.mount(source), ...repair, qpdf.mount(files.plain)]))

    const groups = groupBySize(pages)
    writeFileSync(files.overlay, toPdf(groups.map(({ page }) => ({ ...markFor(page), userUnit: page.userUnit }))))
    const overlay = qpdf.mount(files.overlay)
    const overlays = groups.flatMap(({ numbers }, index) => overlayArguments(overlay, index + 1, numbers))
    codes.push(run(qpdf, [qpdf.mount(files.plain), ...overlays, qpdf.mount(target)]))
    return { count: pages.length, isWhole: codes.every((code) => code === 0) }
  } finally {
    for (const file of Object.values(files)) rmSync(file, { force: true })
  }
}

function run(qpdf: Qpdf, args: readonly string[]): ExitCode {
  const code = qpdf.run(args)
  if (code === 2) throw new QpdfFailure(qpdf.errors().join(' ').slice(0, 500))
  return code
}

interface Group {
  page: PdfPage
  /** From 1. */
  numbers: number[]
}

function groupBySize(pages: readonly PdfPage[]): Group[] {
  const groups: Group[] = []
  for (const [index, page] of pages.entries()) {
    const group = groups.find((each) => isSimilar(each.page, page))
    if (group) group.numbers.push(index + 1)
    else groups.push({ page, numbers: [index + 1] })
  }
  return groups
}

function isSimilar(a: PdfPage, b: PdfPage): boolean {
  if (a.userUnit !== b.userUnit) return false
  return Math.abs(a.width / b.width - 1) < SIMILAR && Math.abs(a.height / b.height - 1) < SIMILAR
}

function overlayArguments(overlay: string, overlayPage: number, numbers: readonly number[]): string[] {
  return ['--overlay', overlay, '--from=', `--repeat=${overlayPage}`, `--to=${rangesOf(numbers)}`, '--']
}

/** "1-3,7": as short as it gets. */
function rangesOf(numbers: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}
