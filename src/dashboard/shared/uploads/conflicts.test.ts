import { expect, test, vi } from 'vitest'
import { api } from '../../../contract/index.ts'
import { fakeApi } from '../../testing/fake-api.ts'
import { folderContent, folderMeta } from '../../testing/folders.ts'
import { namesBelow, settle, type Answer, type Conflict } from './conflicts.ts'
import { storedFile } from './testing/stored-file.ts'

const file = (name: string, path = name) => Object.assign(new File(['x'], name), { path })

function settled(names: string[], answers: Answer[], taken: Record<string, string[]>) {
  const left = [...answers]
  const ask = vi.fn<(conflict: Conflict) => Promise<Answer>>(
    async () => left.shift() ?? { choice: 'skip', forAll: false },
  )
  const namesIn = async (path: readonly string[]) => new Set(taken[path.join('/')])
  const files = names.map((path) => file(path.split('/').at(-1) ?? '', path))
  return { ask, sent: settle(files, namesIn, ask).then((all) => all.map(({ name }) => name)) }
}

const one = (choice: Answer['choice']): Answer => ({ choice, forAll: false })

test('nobody is asked about names that are free', async () => {
  const { ask, sent } = settled(['a.txt'], [], { '': ['b.txt'] })
  expect(await sent).toEqual(['a.txt'])
  expect(ask).not.toHaveBeenCalled()
})

test('each file is a new version, is kept beside the other one, or stays away, as the person says', async () => {
  const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt']
  const { ask, sent } = settled(names, [one('version'), one('both'), one('skip')], { '': ['a.txt', 'b.txt', 'c.txt'] })
  expect(await sent).toEqual(['a.txt', 'b (2).txt', 'd.txt'])
  expect(ask.mock.calls.map(([{ others }]) => others)).toEqual([2, 1, 0])
})

test('one answer may be for all', async () => {
  const all: Answer = { choice: 'both', forAll: true }
  const { ask, sent } = settled(['a.txt', 'b', '.c'], [all], { '': ['a.txt', 'a (2).txt', 'b', '.c'] })
  expect(await sent).toEqual(['a (3).txt', 'b (2)', '.c (2)'])
  expect(ask).toHaveBeenCalledOnce()
})

test('only the folder counts that a file goes to', async () => {
  const { sent } = settled(['/Deal/a.txt', '/Annex/a.txt'], [one('skip')], { Annex: ['a.txt'] })
  expect(await sent).toEqual(['a.txt'])
})

test('names are read from folders that are there; one to come has none, one that cannot be read asks nothing', async () => {
  fakeApi()
    .on(api.folders.get, ({ params: { id } }) =>
      id === 5
        ? folderContent({ id }, { folders: [folderMeta({ id: 6, name: 'Deal', parent_id: 5 })] })
        : folderContent({ id }, { files: [storedFile('a.txt')] }),
    )
    .fail(api.workspaces.home, 503, 'Try again')
  expect([...(await namesBelow(1, 5)(['Deal']))]).toEqual(['a.txt'])
  expect([...(await namesBelow(1, 5)(['New', 'Deal']))]).toEqual([])
  expect([...(await namesBelow(1, 0)([]))]).toEqual([])
})
