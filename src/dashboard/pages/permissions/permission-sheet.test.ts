import { beforeEach, describe, expect, it } from 'vitest'
import type { RightsChange } from './change-rights.ts'
import { expandedRows, matchingRows } from './folder-tree.ts'
import type { Inverse } from './inverse.ts'
import { PermissionSheet, type PermissionSource } from './permission-sheet.ts'
import { NaiveRights } from './testing/naive-rights.ts'

const bidders = 7

/** 1 and 2 at the top; 3, 4 in 1; 5 in 3. */
class Service implements PermissionSource {
  readonly rights = new NaiveRights([0, 0, 1, 1, 3])
  readonly made: RightsChange[] = []
  refusal: Error | undefined
  gate: Promise<void> = Promise.resolve()

  async list(_groupId: number, folderId: number) {
    const answer = this.rights.list(folderId)
    await this.gate
    return answer
  }

  async set(_groupId: number, change: RightsChange) {
    await this.gate
    if (this.refusal) throw this.refusal
    this.made.push(change)
    const { folderId: folder_id, verb, flag } = change
    return this.rights.change([{ folder_id, group_id: bidders, rights: { [flag]: verb === 'grant' } }])
  }

  async restore(inverse: Inverse) {
    this.rights.change(inverse)
  }
}

const grant = (folderId: number, flag: RightsChange['flag']): RightsChange => ({ folderId, verb: 'grant', flag })

let service: Service
let sheet: PermissionSheet
const rights = (id: number) => sheet.column(bidders).rights.get(id)

beforeEach(async () => {
  service = new Service()
  sheet = new PermissionSheet([bidders], service)
  await sheet.start()
})

describe('the permission sheet', () => {
  it('starts with All Folders and the top level, and loads a level when its folder is expanded', async () => {
    expect(expandedRows(sheet.tree, sheet.expanded)).toEqual([0, 1, 2])
    await sheet.expand(1)
    expect(expandedRows(sheet.tree, sheet.expanded)).toEqual([0, 1, 3, 4, 2])
    sheet.collapse(1)
    expect(expandedRows(sheet.tree, sheet.expanded)).toEqual([0, 1, 2])
  })

  it('expands everything in bounded portions', async () => {
    expect(await sheet.expandAll(1)).toBe(1)
    expect(await sheet.expandAll()).toBe(0)
    expect(expandedRows(sheet.tree, sheet.expanded)).toEqual([0, 1, 3, 5, 4, 2])
  })

  it('starts with the folders open that another sheet has open', async () => {
    await sheet.expandAll()
    const other = new PermissionSheet([bidders], service)
    await other.start(sheet)
    expect(expandedRows(other.tree, other.expanded)).toEqual([0, 1, 3, 5, 4, 2])
    expect(other.tree.nodes.get(5)?.depth).toBe(3)
  })

  it('filters by name and keeps the ancestors', async () => {
    await sheet.expandAll()
    expect(matchingRows(sheet.tree, 'folder 5')).toEqual([0, 1, 3, 5])
  })

  it('shows a change before it is made', async () => {
    const done = sheet.change(bidders, grant(1, 'download'))
    expect(rights(1)).toBe(0b011)
    expect(rights(0)).toBe(0b011_000)
    expect(service.made).toEqual([])
    await done
    expect(service.made).toEqual([grant(1, 'download')])
  })

  it('rolls back a refused change under a later one, and tells why', async () => {
    await sheet.expandAll()
    service.refusal = new Error('Only workspace admins may do this')
    const refused = sheet.change(bidders, grant(1, 'upload')).finally(() => (service.refusal = undefined))
    const later = sheet.change(bidders, grant(3, 'view'))
    await expect(refused).rejects.toThrow('Only workspace admins')
    expect([rights(1), rights(3), rights(4)]).toEqual([0b001_000, 0b001, 0])
    await later
    expect(service.made).toEqual([grant(3, 'view')])
  })

  it('does not let a reply from before a change undo what is shown', async () => {
    let open = () => {}
    service.gate = new Promise((resolve) => (open = resolve))
    const reading = sheet.expand(1)
    service.gate = Promise.resolve()
    await sheet.change(bidders, grant(1, 'view'))
    open()
    await reading
    expect(rights(3)).toBe(0b001)
  })

  it('undoes a change exactly, in folders that are closed as well', async () => {
    service.rights.apply(grant(5, 'download'))
    await sheet.expandAll()
    sheet.collapse(3)
    const inverse = await sheet.change(bidders, { folderId: 1, verb: 'revoke', flag: 'view' })
    expect(rights(5)).toBe(0)
    await sheet.undo(bidders, 1, inverse)
    expect(service.rights.own(5)).toBe(0b011)
    expect(rights(1)).toBe(0b011_000)
    await sheet.expand(3)
    expect(rights(5)).toBe(0b011)
  })
})
