import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FLAGS } from '../../../contract/permissions.ts'
import { applyChange, restore, type RightsChange } from './change-rights.ts'
import { emptyTree, type GroupRights, takeLevel, unloadedFolders } from './folder-tree.ts'
import { ownBits } from './rights.ts'
import { NaiveRights } from './testing/naive-rights.ts'
import { undoSteps } from './undo-steps.ts'

const folders = 14
/** Each folder hangs below an earlier one, 0 being All Folders. */
const parents = fc.tuple(...Array.from({ length: folders }, (_, at) => fc.nat({ max: at })))
const change = fc.record<RightsChange>({
  folderId: fc.nat({ max: folders }),
  verb: fc.constantFrom('grant', 'revoke'),
  flag: fc.constantFrom(...FLAGS),
})
const changes = fc.array(change, { maxLength: 8 })

/** A tree as the page would have it after expanding the folders that `opened` says. */
function load(naive: NaiveRights, opened: (id: number) => boolean = () => true) {
  const tree = emptyTree()
  const rights: GroupRights = new Map()
  takeLevel(tree, rights, 0, naive.list(0))
  for (let found = openable(); found !== undefined; found = openable())
    takeLevel(tree, rights, found, naive.list(found))
  function openable() {
    return unloadedFolders(tree).find(opened)
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

  it('come back as they were when a change fails', () => {
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

  it('never claim a value for a loaded folder below that the service does not give', () => {
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

describe('undo', () => {
  it('brings back exactly what was there, wherever it is offered', () => {
    let offered = 0
    fc.assert(
      fc.property(parents, changes, change, fc.func(fc.boolean()), (parents, before, last, opened) => {
        const naive = new NaiveRights(parents)
        for (const each of before) naive.apply(each)
        const { tree, rights } = load(naive, opened)
        fc.pre(rights.has(last.folderId))
        const was = load(naive).rights
        const plan = undoSteps(tree, rights, last)
        if (plan.missing.length > 0) return
        offered++
        naive.apply(last)
        for (const step of plan.steps ?? []) naive.apply(step)
        expect(load(naive).rights).toEqual(was)
      }),
      { numRuns: 1500 },
    )
    expect(offered).toBeGreaterThan(500)
  })

  it('of a change to a uniform folder is one step, however many folders are below', () => {
    const naive = new NaiveRights([0, 1, 1, 1, 2])
    const { tree, rights } = load(naive, (id) => id === 1)
    const plan = undoSteps(tree, rights, { folderId: 1, verb: 'grant', flag: 'download' })
    expect(plan).toEqual({ steps: [{ folderId: 1, verb: 'revoke', flag: 'view' }], missing: [] })
  })

  it('of nothing is nothing', () => {
    const { tree, rights } = load(new NaiveRights([0, 1]))
    expect(undoSteps(tree, rights, { folderId: 1, verb: 'revoke', flag: 'view' }).steps).toEqual([])
  })

  it('asks for the level of a folder whose inside is not known', () => {
    const { tree, rights } = load(new NaiveRights([0, 1, 2]), () => false)
    expect(undoSteps(tree, rights, { folderId: 1, verb: 'grant', flag: 'view' }).missing).toEqual([1])
  })
})
