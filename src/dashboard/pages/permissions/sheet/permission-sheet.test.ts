import { beforeEach, describe, expect, it } from 'vitest'
import type { RightsChange } from '../changes/change-rights.ts'
import { expandedRows, matchingRows } from './folder-tree.ts'
import type { Inverse } from '../changes/inverse.ts'
import { PermissionSheet, type PermissionSource, type Reading } from './permission-sheet.ts'
import { NaiveRights } from '../testing/naive-rights.ts'

const bidders = 7

/** Folders 1 and 2 are at the top, 3 and 4 are in 1, and 5 is in 3. */
class Service implements PermissionSource {
  rights = new NaiveRights([0, 0, 1, 1, 3])
  readonly made: RightsChange[] = []
  refusal: Error | undefined
  gate: Promise<void> = Promise.resolve()

  /** Number of rows in a page. */
  size = Infinity
  readonly readings: Reading[] = []
  /** Number of the page that fails, counted from the next one as 1. */
  failing = Infinity

  async read(reading: Reading, after: string | undefined) {
    if (after === undefined) this.readings.push(reading)
    if (--this.failing === 0) throw new Error('The line is dead')
    const answer = this.rights.page(reading, after, this.size)
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
    if (this.refusal) throw this.refusal
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

  it.each([Infinity, 3, 1])('expands everything in one reading, in pages of %s', async (size) => {
    service.size = size
    expect(await sheet.expandAll()).toBe(0)
    expect(expandedRows(sheet.tree, sheet.expanded)).toEqual([0, 1, 3, 5, 4, 2])
    expect(service.readings).toEqual([{ folder_ids: [0] }, { below: 0 }])
  })

  it('leaves folders closed if there are too many to show, and says how many', async () => {
    const many = new NaiveRights([
      ...Array.from({ length: 60 }, () => 0),
      ...Array.from({ length: 60 }, (_, at) => at + 1),
    ])
    sheet = new PermissionSheet([bidders], Object.assign(service, { rights: many }))
    await sheet.start()
    service.size = 1
    const closed = await sheet.expandAll()
    expect(closed).toBeGreaterThan(30)
    expect(expandedRows(sheet.tree, sheet.expanded).slice(0, 4)).toEqual([0, 1, 61, 2])
  })

  it('takes in a change that is made while everything is read', async () => {
    service.size = 2
    const reading = sheet.expandAll()
    await sheet.change(bidders, grant(1, 'view'))
    await reading
    expect([1, 3, 4, 5, 2].map(rights)).toEqual([0b001, 0b001, 0b001, 0b001, 0])
  })

  it('drops folders that are gone when it reads again, and finds new and moved folders', async () => {
    await sheet.expandAll()
    service.rights = new NaiveRights([0, 0, 1, 2, 4, 1])
    await sheet.refresh()
    expect(expandedRows(sheet.tree, sheet.expanded)).toEqual([0, 1, 3, 6, 2])
    await sheet.expandAll()
    expect(expandedRows(sheet.tree, sheet.expanded)).toEqual([0, 1, 3, 6, 2, 4, 5])
  })

  it('has no half-read levels after a failure, and reads them again', async () => {
    service.size = 2
    service.failing = 2
    await expect(sheet.expandAll()).rejects.toThrow('The line is dead')
    expect(expandedRows(sheet.tree, sheet.expanded)).toEqual([0, 1, 2])
    await sheet.expand(1)
    expect(expandedRows(sheet.tree, sheet.expanded)).toEqual([0, 1, 3, 4, 2])
  })

  it('starts with the folders expanded that another sheet has expanded', async () => {
    await sheet.expandAll()
    const other = new PermissionSheet([bidders], service)
    await other.start(sheet.expanded)
    expect(expandedRows(other.tree, other.expanded)).toEqual([0, 1, 3, 5, 4, 2])
    expect(other.tree.nodes.get(5)?.depth).toBe(3)
  })

  it('filters by name and keeps the ancestors', async () => {
    await sheet.expandAll()
    expect(matchingRows(sheet.tree, 'folder 5')).toEqual([0, 1, 3, 5])
  })

  it('shows a change before the service has made it', async () => {
    const done = sheet.change(bidders, grant(1, 'download'))
    expect(rights(1)).toBe(0b011)
    expect(rights(0)).toBe(0b011_000)
    expect(service.made).toEqual([])
    await done
    expect(service.made).toEqual([grant(1, 'download')])
  })

  it('rolls back a refused change below a later one, and reports the reason', async () => {
    await sheet.expandAll()
    service.refusal = new Error('Only workspace admins may do this')
    const refused = sheet.change(bidders, grant(1, 'upload')).finally(() => (service.refusal = undefined))
    const later = sheet.change(bidders, grant(3, 'view'))
    await expect(refused).rejects.toThrow('Only workspace admins')
    expect([rights(1), rights(3), rights(4)]).toEqual([0b001_000, 0b001, 0])
    await later
    expect(service.made).toEqual([grant(3, 'view')])
  })

  it('does not let a stale reply undo what is shown', async () => {
    let open = () => {}
    service.gate = new Promise((resolve) => (open = resolve))
    const reading = sheet.expand(1)
    await expect.poll(() => service.readings).toHaveLength(2)
    service.gate = Promise.resolve()
    await sheet.change(bidders, grant(1, 'view'))
    open()
    await reading
    expect(rights(3)).toBe(0b001)
  })

  it('undoes one change after the other, and tries a failed undo again', async () => {
    const did = async (change: RightsChange) => {
      const inverse = await sheet.change(bidders, change)
      sheet.changed(change.flag, bidders, change.folderId, inverse)
    }
    const takeBack = () => sheet.takeBack(sheet.history.last!)
    await did(grant(1, 'view'))
    await did(grant(0, 'download'))
    await did({ folderId: 2, verb: 'revoke', flag: 'view' })
    await sheet.refresh()
    service.refusal = new Error('The line is dead')
    await expect(takeBack()).rejects.toThrow('The line is dead')
    service.refusal = undefined
    const seen = []
    for (let times = 0; times < 3; times++) {
      await takeBack()
      seen.push([0, 1, 2].map((id) => service.rights.own(id)))
    }
    expect(seen).toEqual([
      [0b011, 0b011, 0b011],
      [0, 0b001, 0],
      [0, 0, 0],
    ])
    expect(sheet.history.last).toBeUndefined()
  })

  it('does not undo a change to rights that another user has changed since, but undoes other changes', async () => {
    const first = sheet.changed('first', bidders, 1, await sheet.change(bidders, grant(1, 'view')))
    const second = sheet.changed('second', bidders, 2, await sheet.change(bidders, grant(2, 'view')))
    await sheet.expand(1)
    service.rights.apply(grant(3, 'upload'))
    await sheet.refresh()
    expect(await sheet.takeBack(first)).toBe(false)
    expect(await sheet.takeBack(second)).toBe(true)
    expect([1, 2, 3].map((id) => service.rights.own(id))).toEqual([0b001, 0, 0b101])
  })

  it('undoes a change exactly, also in closed folders', async () => {
    service.rights.apply(grant(5, 'download'))
    await sheet.expandAll()
    sheet.collapse(3)
    const inverse = await sheet.change(bidders, { folderId: 1, verb: 'revoke', flag: 'view' })
    expect(rights(5)).toBe(0)
    await sheet.takeBack(sheet.changed('view', bidders, 1, inverse))
    expect(service.rights.own(5)).toBe(0b011)
    expect(rights(1)).toBe(0b011_000)
    await sheet.expand(3)
    expect(rights(5)).toBe(0b011)
  })
})
