import { expect, test } from 'vitest'
import { api } from '../../../../contract/index.ts'
import { fakeApi } from '../../../testing/fake-api.ts'
import { folderContent, folderMeta } from '../../../testing/folders.ts'
import { FolderFinder } from './folder-finder.ts'

/** Serves a workspace with these folders at the top; created folders get an id, but are not listed. */
function workspaceWith(...names: string[]) {
  let lastId = 100
  const top = names.map((name) => folderMeta({ id: (lastId += 1), name, parent_id: 5 }))
  const server = fakeApi()
    .on(api.folders.get, ({ params: { id } }) => folderContent({ id }, { folders: id === 5 ? top : [] }))
    .on(api.workspaces.home, folderContent({ id: 0 }, { folders: top }))
    .on(api.folders.create, ({ body }) => folderMeta({ ...body, id: (lastId += 1) }))
  const created = () => server.calls.filter((call) => call.startsWith('POST')).length
  return { server, created }
}

test('an existing folder of that name is used', async () => {
  const { created } = workspaceWith('Finance')
  expect(await new FolderFinder(1).find(5, ['Finance'])).toBe(101)
  expect(created()).toBe(0)
})

test('missing folders are created once, however many files ask at the same time', async () => {
  const { created } = workspaceWith('Finance')
  const finder = new FolderFinder(1)
  const ids = await Promise.all(Array.from({ length: 50 }, () => finder.find(5, ['Legal', 'Leases', 'Rotterdam'])))
  expect(new Set(ids).size).toBe(1)
  expect(created()).toBe(3)
})

test('a name in another Unicode form is the same name', async () => {
  const { created } = workspaceWith('Verträge')
  expect(await new FolderFinder(1).find(5, ['Vertra\u0308ge'])).toBe(101)
  expect(created()).toBe(0)
})

test('the top is read from the home of the workspace, which is not only for admins', async () => {
  const { server } = workspaceWith('Finance')
  expect(await new FolderFinder(1).find(0, ['Finance'])).toBe(101)
  expect(server.calls).toEqual(['GET /api/v1/workspaces/1/home'])
})

test('a folder that could not be created can be tried again', async () => {
  const { server } = workspaceWith()
  server.fail(api.folders.create, 503, 'Try again')
  const finder = new FolderFinder(1)
  await expect(finder.find(5, ['Legal'])).rejects.toThrow('Try again')
  server.on(api.folders.create, ({ body }) => folderMeta({ ...body, id: 200 }))
  expect(await finder.find(5, ['Legal'])).toBe(200)
})
