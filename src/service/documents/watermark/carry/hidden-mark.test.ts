import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hidingSamples } from '../../../testing/documents/hiding-samples.ts'
import { leastChanged, seenPages } from '../../../testing/documents/pixels.ts'
import { SAMPLE_MARKING } from '../../../testing/documents/sample-reader.ts'
import { stampAnyPdf } from './stamp-any-pdf.ts'

/** Each page is compared in a grid of three by three cells. */
const CELLS = 3
const SEEN = 0.004

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'strongroom-hidden-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each(Object.entries(hidingSamples))('D3: the mark is visible on a page with %s', async (_, pdf) => {
  const [source, target] = [join(folder, 'source.pdf'), join(folder, 'target.pdf')]
  await writeFile(source, pdf)
  await stampAnyPdf({ path: source, type: 'application/pdf' }, target, SAMPLE_MARKING)
  const [marked, clean] = [await seenPages(await readFile(target)), await seenPages(pdf)]
  expect(marked.length).toBe(clean.length)
  for (const [index, page] of marked.entries()) {
    const before = clean[index]
    if (!before) throw new Error('a page is missing')
    expect(leastChanged(page, before, CELLS)).toBeGreaterThan(SEEN)
  }
})
