import { expect, test, vi } from 'vitest'
import { api } from '../../../../contract/index.ts'
import { fakeApi } from '../../../testing/fake-api.ts'
import { folderContent, folderMeta } from '../../../testing/folders.ts'
import { filesBelow, settle, type Answer, type Conflict } from './conflicts.ts'
import { storedFile } from '../testing/stored-file.ts'

const file = (name: string, path = name) => Object.assign(new File(['x'], name), { path })

function settled(names: string[], answers: Answer[], taken: Record<string, string[]>) {
  const left = [...answers]
  const ask = vi.fn<(conflict: Conflict) => Promise<Answer>>(
    async () => left.shift() ?? { choice: 'skip', forAll: false },
  )
  const filesIn = async (path: readonly string[]) =>
    new Map(taken[path.join('/')]?.map((name) => [name, storedFile(name)]))
  const files = names.map((path) => file(path.split('/').at(-1) ?? '', path))
  return { ask, sent: settle(files, filesIn, ask).then((all) => all.map(({ name }) => name)) }
}

const one = (choice: Answer['choice']): Answer => ({ choice, forAll: false })

test('no question is asked about free names', async () => {
  const { ask, sent } = settled(['a.txt'], [], { '': ['b.txt'] })
  expect(await sent).toEqual(['a.txt'])
  expect(ask).not.toHaveBeenCalled()
})

test('each file becomes a new version, gets another name or is skipped, as the user answers', async () => {
  const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt']
  const { ask, sent } = settled(names, [one('version'), one('both'), one('skip')], { '': ['a.txt', 'b.txt', 'c.txt'] })
  expect(await sent).toEqual(['a.txt', 'b (2).txt', 'd.txt'])
  expect(ask.mock.calls.map(([{ others }]) => others)).toEqual([2, 1, 0])
})

test('one answer can apply to all files', async () => {
  const all: Answer = { choice: 'both', forAll: true }
  const { ask, sent } = settled(['a.txt', 'b', '.c'], [all], { '': ['a.txt', 'a (2).txt', 'b', '.c'] })
  expect(await sent).toEqual(['a (3).txt', 'b (2)', '.c (2)'])
  expect(ask).toHaveBeenCalledOnce()
})

test('only names in the destination folder of a file are taken', async () => {
  const { sent } = settled(['/Deal/a.txt', '/Annex/a.txt'], [one('skip')], { Annex: ['a.txt'] })
  expect(await sent).toEqual(['a.txt'])
})

test('names are read from existing folders; a missing or unreadable folder has none', async () => {
  fakeApi()
    .on(api.folders.get, ({ params: { id } }) =>
      id === 5
        ? folderContent({ id }, { folders: [folderMeta({ id: 6, name: 'Deal', parent_id: 5 })] })
        : folderContent({ id }, { files: [{ ...storedFile('a.txt'), outline: '5.1', number_length: 0 }] }),
    )
    .fail(api.workspaces.home, 503, 'Try again')
  const namesIn = async (id: number, path: string[]) => [...(await filesBelow(1, id)(path)).keys()]
  expect(await namesIn(5, ['Deal'])).toEqual(['a.txt'])
  expect(await namesIn(5, ['New', 'Deal'])).toEqual([])
  expect(await namesIn(0, [])).toEqual([])
})

test('a folder is read once, however many folders it contains', async () => {
  const below = Array.from({ length: 20 }, (_, at) => folderMeta({ id: 10 + at, name: `Folder ${at}`, parent_id: 5 }))
  const server = fakeApi().on(api.folders.get, ({ params: { id } }) =>
    folderContent({ id }, { folders: id === 5 ? below : [] }),
  )
  const filesIn = filesBelow(1, 5)
  for (const { name } of below) await filesIn([name])
  await filesIn(['New', 'Deep'])
  await filesIn(['New', 'Deeper'])
  expect(server.calls).toHaveLength(21)
})

test('two files of one drop whose stored names are equal are both sent', async () => {
  const { ask, sent } = settled(['é.txt', 'e\u0301.txt', ' é.txt'], [], {})
  expect(await sent).toEqual(['é.txt', 'é (2).txt', 'é (3).txt'])
  expect(ask).not.toHaveBeenCalled()
})

test('only one of two such files becomes the new version', async () => {
  const { sent } = settled(['é.txt', 'e\u0301.txt'], [one('version'), one('version')], { '': ['é.txt'] })
  expect(await sent).toEqual(['é.txt', 'é (2).txt'])
})
