import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '../../../contract/index.ts'
import { searchWords } from '../../store/search/search-words.ts'
import { makeCorpus } from '../../testing/documents/corpus/corpus.ts'
import { pdfSamples } from '../../testing/documents/corpus/pdfs.ts'
import { LANGUAGES, type Sample } from '../../testing/documents/corpus/sample.ts'
import { readDocuments } from '../../testing/jobs.ts'
import { createRoom, type Room } from '../../testing/room.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'
import { ensureInstalled } from '../../testing/system-packages.ts'
import { createWorld, type World } from '../../testing/world.ts'
import { isSandboxUsable } from '../convert/sandbox.ts'
import { openRenderer, type Renderer } from '../render.ts'

// A corpus of files of our own making, from upload to pages and search, with an independent reader of PDFs beside ours.
// `npm run test:corpus` reads every format in every language, beside LibreOffice and Poppler.

const PATIENCE = 1_200_000
const run = promisify(execFile)
const hasOffice = (await ensureInstalled('office', 'bubblewrap')) && (await isSandboxUsable())
const hasPoppler = await ensureInstalled('poppler')
/** Words of a sample that are searched for. */
const SEARCHED = 2

let folder: string
let service: TestService
let world: World
let room: Room
let renderer: Renderer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'made-corpus-'))
  service = await startTestService()
  world = await createWorld(service)
  room = await createRoom(world)
  renderer = openRenderer({ size: 1 })
})
afterAll(async () => {
  await renderer.close()
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

async function upload(samples: readonly Sample[]): Promise<number[]> {
  const into = await room.folder('Corpus')
  const ids: number[] = []
  for (const { name, content } of samples) ids.push((await room.upload(world.alice, into, name, content)).id)
  await readDocuments(service)
  return ids
}

test(
  'F6: every file is shown and found by its words, or refused with its reason',
  async () => {
    const samples = await makeCorpus(folder, { hasOffice, extent: 'each format' })
    expect(samples.length).toBeGreaterThan(hasOffice ? 200 : 150)
    const ids = await upload(samples)
    const inRoom = { workspace_id: room.workspace_id }
    const lost: string[] = []
    for (const [at, { name, words, pages, refusal }] of samples.entries()) {
      const id = ids[at] ?? 0
      const file = await world.alice.call(api.files.get, { params: { id }, query: inRoom })
      const { status, reason } = file.viewer_image
      if (refusal !== undefined) {
        if (!reason.includes(refusal)) lost.push(`${name} is ${status}: ${reason}`)
        continue
      }
      if (status !== 'Ready') lost.push(`${name} is ${status}: ${reason}`)
      else if (pages !== undefined && file.pages !== pages) lost.push(`${name} has ${file.pages} pages`)
      for (const word of words.slice(0, SEARCHED)) {
        const found = await world.alice.call(api.files.search, { query: { ...inRoom, q: `"${word}"`, per_page: 100 } })
        if (!found.some((each) => each.id === id)) lost.push(`${word} of ${name}`)
      }
    }
    expect(lost).toEqual([])
  },
  PATIENCE,
)

async function oursOf(path: string): Promise<Set<string>> {
  const pdf = { path, type: 'application/pdf' }
  const texts = await renderer.text(pdf, (await renderer.boxes(pdf)).length)
  return new Set(searchWords(texts.join('\n')))
}

test.skipIf(!hasPoppler)('our reader of PDFs finds the words that Poppler finds', async () => {
  const missing: string[] = []
  for (const { name, content } of pdfSamples()) {
    const [path, target] = [join(folder, name), join(folder, `${name}.txt`)]
    await writeFile(path, content)
    await run('/usr/bin/pdftotext', ['-enc', 'UTF-8', path, target])
    const theirs = searchWords((await readFile(target, 'utf8')).replaceAll(/-\n(?=\p{Ll})/gu, ''))
    const ours = await oursOf(path)
    expect(theirs.length).toBeGreaterThan(0)
    missing.push(...theirs.filter((word) => !ours.has(word)).map((word) => `${word} of ${name}`))
  }
  expect(missing).toEqual([])
})

test('PDFs that are installed on this machine have pages', async () => {
  const all = await readdir('/usr/share', { recursive: true }).catch(() => [])
  for (const path of all.filter((each) => each.endsWith('.pdf')).slice(0, 5)) {
    const pdf = { path: join('/usr/share', path), type: 'application/pdf' }
    expect([path, (await renderer.boxes(pdf)).length > 0]).toEqual([path, true])
    expect((await renderer.page(pdf, 1)).jpeg.length).toBeGreaterThan(0)
  }
})

test.each(Object.entries(LANGUAGES))('a page set in %s is read as it was written', async (language, lines) => {
  const [source, target] = [join(folder, `${language}.txt`), join(folder, `${language}.pdf`)]
  await writeFile(source, lines.join('\n'))
  await renderer.layOut({ source, type: 'text/plain', target })
  const ours = await oursOf(target)
  expect(searchWords(lines.join(' ')).filter((word) => !ours.has(word))).toEqual([])
})
