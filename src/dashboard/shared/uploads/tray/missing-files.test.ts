import { expect, test } from 'vitest'
import { matching } from './missing-files.ts'
import { FRESH, type Upload } from '../upload.ts'

const CHANGED = 1_700_000_000_000

function missing(id: number, fileName: string, ...path: string[]): Upload {
  const place = { workspaceId: 1, folderId: 5, path, name: fileName, fileName }
  return { ...FRESH, ...place, id, size: 5, lastModified: CHANGED, file: undefined, state: 'missing' }
}

const chosen = (path: string, lastModified = CHANGED) =>
  Object.assign(new File(['hello'], path.split('/').at(-1) ?? '', { lastModified }), { path })

const idsOf = (...found: Parameters<typeof matching>) => matching(...found).map(({ id, file }) => [id, file.name])

test('files of the same name are matched by their folders', () => {
  const all = [missing(1, 'a.pdf', 'Deal', '2024'), missing(2, 'a.pdf', 'Deal', '2025')]
  expect(idsOf(all, [chosen('Deal/2025/a.pdf'), chosen('Deal/2024/a.pdf')])).toEqual([
    [2, 'a.pdf'],
    [1, 'a.pdf'],
  ])
})

test('a file that is chosen on its own is matched without its folder', () => {
  expect(idsOf([missing(1, 'a.pdf', 'Deal')], [chosen('a.pdf')])).toEqual([[1, 'a.pdf']])
})

test('a changed or unknown file is not matched', () => {
  expect(idsOf([missing(1, 'a.pdf')], [chosen('a.pdf', CHANGED + 1), chosen('b.pdf')])).toEqual([])
})
