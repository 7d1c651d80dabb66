import { expect, test } from 'vitest'
import { shortcutText } from '../../shared/actions/shortcut.ts'
import { actionFor, actionsAt, isWithoutPages, type Situation } from './actions.ts'
import type { Entry } from '../../shared/listing/entries.ts'
import { file, folder } from './testing/entries.ts'

const NONE = { view: true, download: false, upload: false, manage: false, sealed: false }
const reader: Situation = {
  admin: false,
  readOnly: false,
  abilities: NONE,
  inOrder: true,
  atRoot: false,
  mayAsk: false,
  detailsFolded: false,
  touch: false,
  totals: { folders: 1, files: 2 },
}
const manager = { ...reader, abilities: { view: true, download: true, upload: true, manage: true, sealed: false } }
const admin = { ...manager, admin: true }
const finance = folder(1, 'Finance')
const minutes = file(2, 'Minutes.pdf', { index: 2, viewer_status: 'Ready' })
const ids = (situation: Situation, ...entries: Entry[]) => actionsAt('lines', situation, entries).map(({ id }) => id)
const press = { code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }

test('a reader may open folders and files, and nothing else', () => {
  expect(ids(reader, finance)).toEqual(['open'])
  expect(ids(reader, minutes)).toEqual(['open'])
  expect(ids(reader, finance, minutes)).toEqual([])
})

test('a downloader can download files and folders, but no infected file and no folder that only leads on', () => {
  const downloader = { ...reader, abilities: { ...NONE, download: true } }
  expect(ids(downloader, minutes, file(3, 'Plan.pdf'))).toEqual(['download'])
  expect(ids(downloader, minutes, file(3, 'Bad.exe', { infected: true }))).toEqual([])
  expect(ids(downloader, minutes, finance)).toEqual(['download'])
  expect(ids(downloader, folder(4, 'Passage', { path_node: true }))).toEqual(['open'])
})

test('where downloads are sealed, one file is a sealed copy if it has pages, and several files are a zip', () => {
  const sealed = { ...reader, abilities: { ...NONE, download: true, sealed: true } }
  const drawing = file(3, 'Plant.dwg', { viewer_status: 'Unsupported' })
  expect(ids(sealed, minutes)).toEqual(['open', 'downloadSealed'])
  expect(ids(sealed, drawing)).toEqual(['open'])
  expect([minutes, drawing].map(isWithoutPages)).toEqual([false, true])
  expect(ids(sealed, minutes, drawing)).toEqual(['download'])
  expect(ids(sealed, finance)).toEqual(['open', 'download'])
  expect(actionFor({ ...press, key: 's', ctrlKey: true }, sealed, [minutes])?.id).toBe('downloadSealed')
})

test('in the tree, all folders but the root can be moved and copied', () => {
  const inTree = (entry: Entry) => actionsAt('branch', admin, [entry]).map(({ id }) => id)
  expect(inTree(finance)).toEqual(['open', 'who', 'move', 'copy'])
  expect(inTree(folder(0, 'Project Harbour'))).toEqual(['open', 'who'])
})

test('file-managing abilities apply to files; only workspace admins manage folders', () => {
  expect(ids(manager, minutes)).toEqual(['open', 'download', 'rename', 'moveUp', 'remove'])
  expect(ids(manager, finance)).toEqual(['open', 'download'])
  expect(ids(manager, minutes, finance)).toEqual(['download'])
  expect(ids(admin, minutes, finance)).toEqual(['download', 'move', 'copy', 'remove'])
})

test('an infected file can be deleted and moved, but not copied', () => {
  const infected = file(9, 'Bad.exe', { infected: true })
  expect(ids(admin, infected)).not.toContain('copy')
  expect(ids(admin, infected)).toContain('remove')
})

test('lines move up and down only in the order of the room, and not beyond its ends', () => {
  expect(ids(admin, file(1, 'First.pdf'))).toEqual(expect.arrayContaining(['moveDown']))
  expect(ids(admin, file(1, 'First.pdf'))).not.toContain('moveUp')
  expect(ids(admin, file(2, 'Last.pdf'))).not.toContain('moveDown')
  expect(ids({ ...admin, inOrder: false }, minutes)).not.toContain('moveUp')
})

test('keys find only actions that are available', () => {
  expect(actionFor({ ...press, key: 'F2' }, admin, [minutes])?.id).toBe('rename')
  expect(actionFor({ ...press, key: 'F2' }, reader, [minutes])).toBeUndefined()
  expect(actionFor({ ...press, key: 'a', metaKey: true }, reader, [])?.id).toBe('chooseAll')
  expect(actionFor({ ...press, key: 'a' }, reader, [])).toBeUndefined()
  expect(actionFor({ ...press, key: '˜', code: 'KeyN', altKey: true }, admin, [])?.id).toBe('create')
})

test('a shortcut is written in its usual form', () => {
  expect(shortcutText({ key: 'a', command: true })).toBe('Ctrl+A')
  expect(shortcutText({ key: 'ArrowUp', alt: true })).toBe('Alt+↑')
})
