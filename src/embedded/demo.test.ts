import { readdirSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileTypeFromBuffer } from 'file-type'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isDemo } from './demo.ts'
import { comingWorkday, workday } from './demo/moments.ts'
import { type DemoFolder, type DemoRoom, documentAt, DOCUMENTS, ROOMS, termsAt, UNLISTED } from './demo/room.ts'

const TYPES: Record<string, string | undefined> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
}

const pathsOf = (folders: DemoFolder[], above: string): string[] =>
  folders.flatMap(({ name, files = [], folders: below = [] }) => [
    ...files.map((file) => `${above}/${name}/${file}`),
    ...pathsOf(below, `${above}/${name}`),
  ])

const rooms: DemoRoom[] = Object.values(ROOMS)
const foldersOfRoom = ({ folders, next }: DemoRoom) => [
  ...folders,
  ...(next ? [{ name: next.below, folders: [next.folder] }] : []),
]
const listed = rooms.flatMap((room) => pathsOf(foldersOfRoom(room), room.name))
const stored = readdirSync(DOCUMENTS, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => relative(DOCUMENTS, join(parentPath, name)))

describe('the documents of the demo', () => {
  test('are those that room.json lists, those that people hand in, and terms', () => {
    const isListed = (path: string) => !UNLISTED.some((folder) => path.startsWith(`${folder}/`))
    expect(stored.filter(isListed).toSorted()).toEqual(listed.toSorted())
  })

  test('have all terms that are PDFs', async () => {
    const named = rooms.flatMap(({ terms = [] }) => terms.flatMap(({ pdf }) => pdf ?? []))
    for (const name of named) expect((await termsAt(name).content()).byteLength).toBeGreaterThan(1000)
    expect(stored.filter((path) => path.startsWith('Terms/'))).toHaveLength(named.length)
  })

  test('have less than 3 MB', () => {
    const sizes = stored.map((path) => statSync(join(DOCUMENTS, path)).size)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(3_000_000)
  })

  test.each(stored)('%s has the type of its extension', async (path) => {
    const bytes = await documentAt(path).content()
    expect((await fileTypeFromBuffer(bytes))?.mime).toBe(TYPES[path.split('.').at(-1) ?? ''])
  })
})

test('groups, visits, questions and what comes next name existing folders, files and groups', () => {
  for (const room of rooms) {
    const { name, groups, visits, questions = { limits: [], asked: [], faq: [] }, next } = room
    const folders = foldersOfRoom(room)
    const files = pathsOf(folders, name).map((path) => path.slice(name.length + 1))
    const isFolder = (path: string) => path === '' || foldersOf(folders).has(path)
    const later = [...(next?.rights ?? []), ...(next?.staged ?? []), ...(next?.group.rights ?? [])]
    const rights = [...Object.values(groups).flatMap((group) => group.rights), ...later]
    expect(rights.filter(({ folder }) => !isFolder(folder))).toEqual([])
    for (const { views = [], downloads = [], seconds = {} } of visits) {
      expect(files).toEqual(expect.arrayContaining([...views, ...downloads]))
      expect(views).toEqual(expect.arrayContaining(Object.keys(seconds)))
    }
    const named = Object.values(groups).map((group) => group.name)
    const laterNamed = [...(next?.rights ?? []), ...(next?.staged ?? [])].map(({ group }) => group)
    const limited = questions.limits.map(({ group }) => group)
    expect(named).toEqual(
      expect.arrayContaining([...limited, ...laterNamed, ...questions.faq.flatMap((entry) => entry.groups ?? [])]),
    )
    for (const { group, file, answer } of questions.asked) {
      expect(named).toEqual(expect.arrayContaining([group, ...(answer?.groups ?? [])]))
      expect(files).toEqual(expect.arrayContaining([file, ...(answer?.files ?? [])]))
    }
  }
})

function foldersOf(folders: DemoFolder[], above = ''): Set<string> {
  return new Set(
    folders.flatMap(({ name, folders: below = [] }) => [above + name, ...foldersOf(below, `${above}${name}/`)]),
  )
}

test.each([
  ['2026-11-21', 1, '2026-11-20'],
  ['2026-11-23', 1, '2026-11-20'],
  ['2026-11-24', 2, '2026-11-20'],
  ['2026-11-18', 0, '2026-11-18'],
])('counted from %s, %i working days back is %s', (today, days, expected) => {
  expect(workday(new Date(`${today}T12:00:00Z`), days, '09:30').toISOString()).toBe(`${expected}T09:30:00.000Z`)
})

test.each([
  ['2026-11-20', 1, '2026-11-23'],
  ['2026-11-21', 1, '2026-11-23'],
  ['2026-11-18', 2, '2026-11-20'],
])('counted from %s, %i working days ahead is %s', (today, days, expected) => {
  expect(comingWorkday(new Date(`${today}T12:00:00Z`), days, '07:00').toISOString()).toBe(`${expected}T07:00:00.000Z`)
})

describe('the demo state', () => {
  let dataDir: string

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'strongroom-test-'))
  })

  afterEach(() => rm(dataDir, { recursive: true, force: true }))

  test('is decided by the first start', async () => {
    expect(await isDemo(dataDir, false)).toBe(false)
    expect(await isDemo(dataDir, true)).toBe(false)
  })

  test('can be switched off and on again where the first start was a demo', async () => {
    expect(await isDemo(dataDir, true)).toBe(true)
    expect(await isDemo(dataDir, false)).toBe(false)
    expect(await isDemo(dataDir, true)).toBe(true)
  })
})
