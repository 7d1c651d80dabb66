import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { api } from '../../../../contract/index.ts'
import { renderElement } from '../../../testing/render-element.tsx'
import { workspace } from '../../../testing/samples.ts'
import { FolderTree } from './folder-tree.tsx'
import { SmallRoom } from '../testing/room.ts'
import type { TreeRow } from './tree-rows.ts'
import { useTree } from './use-tree.ts'

let room: SmallRoom
beforeEach(() => {
  room = new SmallRoom()
})

interface TreeOfProps {
  onChoose?: (id: number) => void
  refusalOf?: (row: TreeRow) => string | undefined
}

function TreeOf({ onChoose = () => {}, ...props }: TreeOfProps) {
  const tree = useTree({ ...workspace(), id: 5, admin: true }, undefined)
  return (
    <>
      <FolderTree tree={tree} label="Folders" workspaceName="Harbour" current={0} onChoose={onChoose} {...props} />
      {tree.failed && <button onClick={tree.retry}>Retry</button>}
    </>
  )
}

const names = () => screen.getAllByRole('treeitem').map((item) => item.textContent)

test('an empty workspace is one row that cannot be expanded', async () => {
  room.folders = []
  room.serve()
  renderElement(<TreeOf />)
  await waitFor(() => expect(screen.getByRole('treeitem').getAttribute('aria-expanded')).toBeNull())
  expect(names()).toEqual(['Harbour'])
})

test('folders have their numbers; a level is read when it is opened; a click chooses a folder', async () => {
  const server = room.serve()
  const onChoose = vi.fn<(id: number) => void>()
  const { user } = renderElement(<TreeOf onChoose={onChoose} />)
  await waitFor(() => expect(names()).toEqual(['Harbour', '1 Corporate', '2 Finance', '3 Legal']))
  const before = server.calls.length
  const finance = screen.getByRole('treeitem', { name: '2 Finance' })
  const chevron = finance.querySelector('[data-chevron]')
  if (chevron) await user.click(chevron)
  await waitFor(() => expect(names()).toContain('2.1 Audited accounts'))
  expect(server.calls).toHaveLength(before + 1)
  await user.click(screen.getByRole('treeitem', { name: '2.1 Audited accounts' }))
  expect(onChoose.mock.calls).toEqual([[21]])
})

test('a level that cannot be read leaves the others, and is read again on request', async () => {
  const server = room.serve().fail(api.folders.get, 500, 'It broke.')
  server.on(api.workspaces.home, () => room.content(0))
  const { user } = renderElement(<TreeOf />)
  const retry = await screen.findByRole('button', { name: 'Retry' })
  room.serve()
  await user.click(retry)
  await waitFor(() => expect(names()).toEqual(['Harbour', '1 Corporate', '2 Finance', '3 Legal']))
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
})

test('a folder that may not be chosen says why, and a click does not choose it', async () => {
  room.serve()
  const onChoose = vi.fn<(id: number) => void>()
  const refusalOf = ({ id }: TreeRow) => (id === 2 ? 'It is there already.' : undefined)
  const { user } = renderElement(<TreeOf onChoose={onChoose} refusalOf={refusalOf} />)
  const finance = await screen.findByRole('treeitem', { name: '2 Finance' })
  expect(finance.getAttribute('aria-disabled')).toBe('true')
  expect(finance.title).toBe('2 Finance: It is there already.')
  await user.click(finance)
  await user.click(screen.getByRole('treeitem', { name: '3 Legal' }))
  expect(onChoose.mock.calls).toEqual([[3]])
})
