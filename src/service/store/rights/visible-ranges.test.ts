import fc from 'fast-check'
import { expect, it } from 'vitest'
import { finish } from '../../../wire/work.ts'
import { findingVisibleRanges, type ViewOverride } from './visible-ranges.ts'

const folders = 14
/** Folder 0 is the top. Every other folder is below an earlier one. */
const tree = fc.tuple(...Array.from({ length: folders }, (_, at) => fc.nat({ max: at })))
const override = fc.record({
  folder: fc.integer({ min: 1, max: folders }),
  group_id: fc.integer({ min: 1, max: 3 }),
  value: fc.boolean(),
})
const overrides = fc.uniqueArray(override, {
  maxLength: 10,
  selector: ({ folder, group_id }) => `${folder} ${group_id}`,
})

it('finds exactly the folders that a group views or that lead to one, each once and in order', () => {
  fc.assert(
    fc.property(tree, overrides, fc.subarray([1, 2, 3]), (parents, set, viewing) => {
      const paths: number[][] = [[0]]
      for (const [at, parent] of parents.entries()) paths.push([...(paths[parent] ?? []), at + 1])
      const sorted = set
        .map(({ folder, ...rest }): ViewOverride => ({ ...rest, id_path: paths[folder] ?? [] }))
        .sort((a, b) => compare(a.id_path, b.id_path))
      const ranges = finish(findingVisibleRanges([0], viewing, sorted))
      const below = paths.slice(1).sort(compare)
      const found = ranges.flatMap(({ start, end }) =>
        below.filter((path) => compare(path, start) >= 0 && compare(path, end) < 0),
      )
      const views = (path: readonly number[]) => [1, 2, 3].some((group) => viewsAs(group, path, sorted, viewing))
      const leads = (path: readonly number[]) => below.some((other) => isInside(other, path) && views(other))
      expect(found).toEqual(below.filter((path) => views(path) || leads(path)))
    }),
    { numRuns: 2000 },
  )
})

function viewsAs(group: number, path: readonly number[], set: readonly ViewOverride[], viewing: readonly number[]) {
  const nearest = set
    .filter(({ group_id, id_path }) => group_id === group && (isInside(path, id_path) || compare(path, id_path) === 0))
    .sort((a, b) => b.id_path.length - a.id_path.length)[0]
  return nearest ? nearest.value : viewing.includes(group)
}

const isInside = (path: readonly number[], folder: readonly number[]) =>
  path.length > folder.length && folder.every((id, at) => path[at] === id)

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((id, place) => id !== b[place])
  return at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1)
}
