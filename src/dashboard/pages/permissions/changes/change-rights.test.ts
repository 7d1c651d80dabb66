import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FLAGS } from '../../../../contract/endpoints/permissions.ts'
import { applyChange, restore, type RightsChange } from './change-rights.ts'
import { emptyTree, type GroupRights, unloadedFolders } from '../sheet/folder-tree.ts'
import { ownBits } from '../sheet/rights.ts'
import { NaiveRights } from '../testing/naive-rights.ts'
import { TreeReading } from '../sheet/tree-reading.ts'

const folders = 14
/** Each folder lies in an earlier folder; 0 is All Folders. */
const parents = fc.tuple(...Array.from({ length: folders }, (_, at) => fc.nat({ max: at })))
const change = fc.record<RightsChange>({
  folderId: fc.nat({ max: folders }),
  verb: fc.constantFrom('grant', 'revoke'),
  flag: fc.constantFrom(...FLAGS),
})
const changes = fc.array(change, { maxLength: 8 })

/** Loads a tree as the page would after expanding the folders for which `opened` returns true. */
function load(naive: NaiveRights, opened: (id: number) => boolean = () => true) {
  const tree = emptyTree()
  const rights: GroupRights = new Map()
  for (let found: number | undefined = 0; found !== undefined; found = unloadedFolders(tree).find(opened)) {
    const reading = new TreeReading(tree, [rights])
    reading.take(naive.page({ folder_ids: [found] }).rows)
    reading.finish([found])
  }
  return { tree, rights }
}

describe('rights on the loaded rows', () => {
  it('become what the service would answer, on fully loaded trees', () => {
    fc.assert(
      fc.property(parents, changes, change, (parents, before, last) => {
        const naive = new NaiveRights(parents)
        for (const each of before) naive.apply(each)
        const { tree, rights } = load(naive)
        applyChange(tree, rights, last)
        naive.apply(last)
        expect([...rights].sort()).toEqual([...load(naive).rights].sort())
      }),
      { numRuns: 1500 },
    )
  })

  it('are restored when a change fails', () => {
    fc.assert(
      fc.property(parents, changes, change, (parents, before, last) => {
        const naive = new NaiveRights(parents)
        for (const each of before) naive.apply(each)
        const { tree, rights } = load(naive)
        const copy = new Map(rights)
        restore(rights, applyChange(tree, rights, last))
        expect(rights).toEqual(copy)
      }),
    )
  })

  it('never have a value for a loaded folder below that differs from the service', () => {
    fc.assert(
      fc.property(parents, changes, change, fc.func(fc.boolean()), (parents, before, last, opened) => {
        const naive = new NaiveRights(parents)
        for (const each of before) naive.apply(each)
        const { tree, rights } = load(naive, (id) => id === last.folderId || opened(id))
        applyChange(tree, rights, last)
        naive.apply(last)
        for (const [id, packed] of rights) expect(ownBits(packed)).toBe(naive.own(id))
      }),
    )
  })
})
