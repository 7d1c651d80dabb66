import fc from 'fast-check'
import { expect, it } from 'vitest'
import { finish } from '../../../wire/work.ts'
import type { SheetPlace, SheetSetting } from './permission-sheet.ts'
import { rightsBelow } from './rights-below.ts'

const folders = 16
/** Folder 0 is the root. Every other folder is below an earlier one. */
const tree = fc.tuple(...Array.from({ length: folders }, (_, at) => fc.nat({ max: at })))
const setting = fc.record<SheetSetting>({
  folder_id: fc.nat({ max: folders }),
  group_id: fc.integer({ min: 1, max: 3 }),
  set: fc.integer({ min: 1, max: 7 }),
  value: fc.nat({ max: 7 }),
})
const settings = fc
  .uniqueArray(setting, { maxLength: 12, selector: ({ folder_id, group_id }) => `${folder_id} ${group_id}` })
  .map((all) => all.map((each) => ({ ...each, value: each.value & each.set })))
const own = fc.option(fc.constant<number[]>([3]), { nil: undefined })

it('gives the same rows page by page as for all folders at once, and both follow the rules', () => {
  fc.assert(
    fc.property(tree, settings, own, fc.integer({ min: 1, max: folders + 1 }), (parents, settings, own, size) => {
      const all = placesOf(parents)
      const groupIds = [1, 2]
      const whole = finish(rightsBelow({ places: all, settings, groupIds, own, unfinished: [], known: [] }))
      expect(whole).toEqual(naively(all, settings, groupIds, own))
      const paged = []
      for (let from = 0; from < all.length; from += size) {
        const places = all.slice(from, from + size)
        const isLast = from + size >= all.length
        const unfinished = isLast ? [] : places.filter(({ id }) => places.at(-1)?.id_path.includes(id))
        const known = whole.filter((row) => unfinished.some(({ id }) => id === row.id))
        const inPage = settings.filter(({ folder_id }) => {
          return places.some(({ id }) => id === folder_id) || places[0]?.id_path.includes(folder_id)
        })
        paged.push(...finish(rightsBelow({ places, settings: inPage, groupIds, own, unfinished, known })))
      }
      expect(paged).toEqual(whole)
    }),
    { numRuns: 2000 },
  )
})

/** Places in the order of their id paths: folders before the folders inside of them. */
function placesOf(parents: readonly number[]): SheetPlace[] {
  const paths: number[][] = [[0]]
  for (const [at, parent] of parents.entries()) paths.push([...(paths[parent] ?? []), at + 1])
  return paths
    .map((id_path, id) => ({ id, parent_id: parents[id - 1] ?? 0, name: `Folder ${id}`, index: id, id_path }))
    .sort((a, b) => comparePaths(a.id_path, b.id_path))
}

function comparePaths(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((id, place) => id !== b[place])
  return at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1)
}

/** Evaluates every folder by itself. */
function naively(all: SheetPlace[], settings: SheetSetting[], groupIds: number[], own: number[] | undefined) {
  const isBelow = (one: SheetPlace, above: SheetPlace) => one !== above && one.id_path.includes(above.id)
  const bits = ({ id_path }: SheetPlace, group: number) =>
    [1, 2, 4]
      .filter((bit) => {
        const nearest = id_path
          .toReversed()
          .map((id) => settings.find((each) => each.folder_id === id && each.group_id === group && each.set & bit))
          .find((each) => each !== undefined)
        return ((nearest?.value ?? 0) & bit) !== 0
      })
      .reduce((sum, bit) => sum + bit, 0)
  const views = (place: SheetPlace) => own?.some((group) => bits(place, group) & 1) ?? true
  const isSeen = (place: SheetPlace) => views(place) || all.some((other) => isBelow(other, place) && views(other))
  return all
    .filter((place) => place.id === 0 || isSeen(place))
    .map((place) => {
      const { id_path: _, ...rest } = place
      const below = all.filter((other) => isBelow(other, place))
      const children = below.filter(({ parent_id, id }) => id !== 0 && parent_id === place.id).filter(isSeen).length
      const seen = below.filter(isSeen)
      const rights = groupIds.map((group) => {
        const some = seen.reduce((sum, other) => sum | bits(other, group), 0)
        const lacking = seen.reduce((sum, other) => sum | (~bits(other, group) & 7), 0)
        return bits(place, group) | ((some & lacking) << 3)
      })
      return { ...rest, children, rights }
    })
}
