import { expect, test } from 'vitest'
import { matching } from './missing-files.ts'
import { FRESH, type Upload } from './upload.ts'

const CHANGED = 1_700_000_000_000

function missing(id: number, fileName: string, ...path: string[]): Upload {
  const place = { workspaceId: 1, folderId: 5, path, name: fileName, fileName }
  return { ...FRESH, ...place, id, size: 5, lastModified: CHANGED, file: undefined, state: 'missing' }
}

const chosen = (path: string, lastModified = CHANGED) =>
  Object.assign(new File(['hello'], path.split('/').at(-1) ?? '', { lastModified }), { path })

const idsOf = (...found: Parameters<typeof matching>) => matching(...found).map(({ id, file }) => [id, file.name])

test('files that are alike go back to the folders they were in', () => {
  const all = [missing(1, 'a.pdf', 'Deal', '2024'), missing(2, 'a.pdf', 'Deal', '2025')]
  expect(idsOf(all, [chosen('Deal/2025/a.pdf'), chosen('Deal/2024/a.pdf')])).toEqual([
    [2, 'a.pdf'],
    [1, 'a.pdf'],
  ])
})

test('a file that is chosen by itself is found again without its folder', () => {
  expect(idsOf([missing(1, 'a.pdf', 'Deal')], [chosen('a.pdf')])).toEqual([[1, 'a.pdf']])
})

test('what has changed, or was not asked for, is left', () => {
  expect(idsOf([missing(1, 'a.pdf')], [chosen('a.pdf', CHANGED + 1), chosen('b.pdf')])).toEqual([])
})
