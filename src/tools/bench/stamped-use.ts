import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadPdfium, openPdf } from '../../service/documents/render/pdfium.ts'
import { drawPage, readBoxes, readText } from '../../service/documents/render/read-pdf.ts'
import { openQpdf } from '../../service/documents/watermark/carry/qpdf.ts'
import { stampAnyPdf } from '../../service/documents/watermark/carry/stamp-any-pdf.ts'
import type { Marking } from '../../service/store/downloads/marks.ts'

/** Six pages with text, tables and figures, repeated. */
const MEMORANDUM = new URL('../../embedded/demo/documents/Project Harbour/Overview/Information memorandum.pdf', import.meta.url)
const COPIES = 11
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
  const qpdf = await openQpdf()
  const memorandum = qpdf.open(fileURLToPath(MEMORANDUM))
  const copies = Array.from({ length: COPIES }, () => [memorandum, '1-z']).flat()
  if (qpdf.run(['--empty', '--pages', ...copies, '--', qpdf.mount(source)]) !== 0) throw new Error('qpdf failed')
  await stampAnyPdf({ path: source, type: 'application/pdf' }, stamped, marking)
  const [before, after] = [(await stat(source)).size, (await stat(stamped)).size]
  console.log(`PDF of ${COPIES * 6} pages: ${kib(before)} KiB, stamped ${kib(after)} KiB`)
  const uses: [string, Use][] = [
    ['text, PDFium', readAll],
    ['drawing on a screen, PDFium', (path) => drawAll(path, 1200)],
    ['drawing on paper, PDFium', (path) => drawAll(path, 2480)],
    ...PROGRAMS.filter(([, command]) => isInstalled(command(''))).map(
      ([name, command]): [string, Use] => [name, (path) => cpuOfProgram(command(path))],
    ),
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
