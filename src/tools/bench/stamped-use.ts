import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encodePage, fromRgba } from '../../service/documents/encode.ts'
import { layOut } from '../../service/documents/layout/lay-out.ts'
import { PAGE_WIDTH } from '../../service/documents/render/page-size.ts'
import { loadPdfium, openPdf } from '../../service/documents/render/pdfium.ts'
import { drawPage, readBoxes, readText } from '../../service/documents/render/read-pdf.ts'
import { openQpdf } from '../../service/documents/watermark/carry/qpdf.ts'
import { stampAnyPdf } from '../../service/documents/watermark/carry/stamp-any-pdf.ts'
import { markPage } from '../../service/documents/watermark/mark-page.ts'
import { createOverlays } from '../../service/documents/watermark/plan/overlay.ts'
import type { Marking } from '../../service/store/downloads/marks.ts'
import { ROOT } from '../sources.ts'

/** As many pages as the stamped PDF that was slow to use. */
const PAGES = 66
/** Long texts with tables, in Markdown. */
const TEXTS = [
  'docs/ARCHITECTURE',
  'deploy/documents',
  'deploy/SECURITY',
  'docs/CALLING',
  'deploy/settings',
  'docs/CHANGELOG',
]
/** Each use is measured this often on either file, in turns; the lowest counts. */
const RUNS = 3
/** A stamped copy should not cost more than this many times the original. */
const MOST = 1.3
/** A clock tick of `/proc`. */
const TICK_MS = 10

/** A use of a PDF. @returns the milliseconds of CPU that it took */
type Use = (path: string) => Promise<number> | number

const PROGRAMS: [name: string, command: (path: string) => string[]][] = [
  ['text, Poppler', (path) => ['pdftotext', path, '-']],
  ['drawing on a screen, Poppler', (path) => ['pdftoppm', '-r', '100', path]],
  ['drawing on paper, Poppler', (path) => ['pdftoppm', '-r', '300', path]],
]

/** Compares the CPU that others spend on a stamped copy with that on its original. */
export async function useStamped(folder: string, marking: Marking): Promise<void> {
  const [source, stamped] = [join(folder, 'original.pdf'), join(folder, 'stamped.pdf')]
  await makePdf(folder, source)
  await stampAnyPdf({ path: source, type: 'application/pdf' }, stamped, marking)
  const [before, after] = [(await stat(source)).size, (await stat(stamped)).size]
  console.log(`PDF of ${PAGES} pages: ${kib(before)} KiB, stamped ${kib(after)} KiB`)
  await sealPages(source, marking)
  const uses: [string, Use][] = [
    ['text, PDFium', readAll],
    ['drawing on a screen, PDFium', (path) => drawAll(path, 1200)],
    ['drawing on paper, PDFium', (path) => drawAll(path, 2480)],
    ...PROGRAMS.filter(([, command]) => isInstalled(command(''))).map(([name, command]): [string, Use] => [
      name,
      (path) => cpuOfProgram(command(path)),
    ]),
  ]
  for (const [name, use] of uses) {
    let [original, copy] = [Infinity, Infinity]
    for (let run = 0; run < RUNS; run++) {
      original = Math.min(original, await use(source))
      copy = Math.min(copy, await use(stamped))
    }
    const ratio = copy / original
    const verdict = ratio <= MOST ? '' : `  more than ${MOST}`
    console.log(`  ${name.padEnd(34)} ${ms(original)} ms, stamped ${ms(copy)} ms: ${ratio.toFixed(2)}×${verdict}`)
  }
}

/** The pages of a sealed copy, as the text that its file holds. */
async function sealPages(path: string, marking: Marking): Promise<void> {
  const pdfium = await loadPdfium()
  const pdf = openPdf(pdfium, path)
  const overlays = createOverlays()
  let [images, sealed] = [0, 0]
  for (const index of readBoxes(pdfium, pdf).keys()) {
    const pixels = drawPage(pdfium, pdf, index + 1, PAGE_WIDTH)
    const { jpeg } = await encodePage(fromRgba(pixels.data, pixels))
    images += jpeg.length
    sealed += (await markPage(jpeg, 'sealed', marking, overlays)).length
  }
  pdf.close()
  console.log(`  sealed: ${kib((sealed * 4) / 3)} KiB; its pages as unmarked JPEG: ${kib((images * 4) / 3)} KiB`)
}

/** Sets the texts on pages, as a document is converted, and takes the first of them. */
async function makePdf(folder: string, target: string): Promise<void> {
  const [text, whole] = [join(folder, 'texts.md'), join(folder, 'whole.pdf')]
  const parts = await Promise.all(TEXTS.map((name) => readFile(join(ROOT, `${name}.md`), 'utf8')))
  await writeFile(text, [...parts, ...parts, ...parts].join('\n\n'))
  await layOut({ source: text, type: 'text/markdown', target: whole })
  const qpdf = await openQpdf()
  if (qpdf.run([qpdf.open(whole), '--pages', '.', `1-${PAGES}`, '--', qpdf.mount(target)]) !== 0)
    throw new Error(`the texts have fewer than ${PAGES} pages`)
}

const kib = (bytes: number) => (bytes / 1024).toFixed(0)
const ms = (each: number) => each.toFixed(0).padStart(5)

async function readAll(path: string): Promise<number> {
  return cpuOf(path, (pdfium, pdf, page) => readText(pdfium, pdf, page))
}

async function drawAll(path: string, width: number): Promise<number> {
  return cpuOf(path, (pdfium, pdf, page) => drawPage(pdfium, pdf, page, width))
}

type Means = Parameters<typeof readText>

async function cpuOf(path: string, use: (...means: Means) => unknown): Promise<number> {
  const pdfium = await loadPdfium()
  const start = process.cpuUsage()
  const pdf = openPdf(pdfium, path)
  for (const index of readBoxes(pdfium, pdf).keys()) use(pdfium, pdf, index + 1)
  pdf.close()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

const isInstalled = ([program = '']: readonly string[]) => spawnSync(program, ['-v']).error === undefined

function cpuOfProgram([program = '', ...args]: string[]): number {
  const start = cpuOfChildren()
  const { status } = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'ignore'] })
  if (status !== 0) throw new Error(`${program} failed`)
  return cpuOfChildren() - start
}

/** The CPU time of all child processes that have ended, in milliseconds. */
function cpuOfChildren(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS
}
