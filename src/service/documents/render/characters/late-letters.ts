import type { Pdfium } from '../pdfium-memory.ts'

// Letters that a font lacks are drawn in another font, by some programs after the rest of the line: of "Hợp đồng" PDFium
// reads "H p đ ng" and then "ợ" and "ồ". Vietnamese texts are full of them.

/** A letter beyond ASCII that stands apart, alone or with a few others. Texts without one have no late letters. */
const APART = /(?<!\p{L})[\u00c0-\u052f\u1e00-\u1fff]{1,8}(?!\p{L})/u
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
/** Two letters nearer than this share of their height belong to one word. */
const NEAR = 0.1

export const mayHaveLate = (text: string): boolean => APART.test(text) && !FROM_RIGHT.test(text)

/** Characters between separators that PDFium has generated: [from, to) of the text, and their place on the page. */
interface Run {
  at: number
  from: number
  to: number
  left: number
  right: number
  base: number
  height: number
}

/**
 * Returns the indexes of the characters of a page in an order in which late letters are in their words, without the separators
 * that their absence made. `memory` has 16 bytes.
 */
export function withLateLetters(pdfium: Pdfium, text: number, count: number, memory: number): number[] {
  const runs = runsOf(pdfium, text, count, memory)
  const hosts = new Map<number, Run[]>()
  const behind = new Map<Run, Run>()
  const before = new Map<Run, Run>()
  for (const run of runs) {
    const line = linesAt(run).flatMap((base) => hosts.get(base) ?? [])
    const near = NEAR * run.height
    const left = line.find(
      (host) => !behind.has(host) && Math.abs(run.left - host.right) < near && host.at < run.at - 1,
    )
    const right = line.find(
      (host) => !before.has(host) && Math.abs(run.right - host.left) < near && host.at < run.at - 1,
    )
    if (left) behind.set(left, run)
    else if (right) before.set(right, run)
    hosts.set(Math.round(run.base), [...(hosts.get(Math.round(run.base)) ?? []), run])
  }
  return orderOf(runs, { behind, before }, count)
}

const linesAt = ({ base }: Run): number[] => [-1, 0, 1].map((by) => Math.round(base) + by)

function runsOf(pdfium: Pdfium, text: number, count: number, memory: number): Run[] {
  const { getValue } = pdfium.pdfium
  const runs: Run[] = []
  let run: Run | undefined
  for (let index = 0; index < count; index++) {
    const isDrawn = !pdfium.FPDFText_IsGenerated(text, index) && pdfium.FPDFText_GetLooseCharBox(text, index, memory)
    if (!isDrawn) {
      run = undefined
      continue
    }
    const [left = 0, top = 0, right = 0, bottom = 0] = [0, 4, 8, 12].map((at) => getValue(memory + at, 'float'))
    if (!run) {
      pdfium.FPDFText_GetCharOrigin(text, index, memory, memory + 8)
      const base = getValue(memory + 8, 'double')
      run = { at: runs.length, from: index, to: index, left, right, base, height: Math.abs(top - bottom) }
      runs.push(run)
    }
    run.to = index + 1
    run.right = right
  }
  return runs
}

interface Moves {
  behind: ReadonlyMap<Run, Run>
  before: ReadonlyMap<Run, Run>
}

function orderOf(runs: readonly Run[], { behind, before }: Moves, count: number): number[] {
  const late = new Set([...behind.values(), ...before.values()])
  const order: number[] = []
  const addRange = (from: number, to: number) => {
    for (let index = from; index < to; index++) order.push(index)
  }
  /** Adds a run with the letters at its ends. @returns where it ends on the page */
  const add = (run: Run): number => {
    const [first, last] = [before.get(run), behind.get(run)]
    if (first) add(first)
    addRange(run.from, run.to)
    return last ? add(last) : run.right
  }
  let last: (Run & { end: number }) | undefined
  for (const [at, run] of runs.entries()) {
    if (late.has(run)) continue
    const goesOn = last !== undefined && (last.end !== last.right || before.has(run)) && isNear(last.end, last, run)
    if (!goesOn) addRange(runs[at - 1]?.to ?? 0, run.from)
    last = { ...run, end: add(run) }
  }
  addRange(runs.at(-1)?.to ?? 0, count)
  return order
}

const isNear = (end: number, { base, height }: Run, next: Run): boolean =>
  Math.abs(next.base - base) < 1 && Math.abs(next.left - end) < NEAR * height
