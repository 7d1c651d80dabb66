import { plural, t } from '@lingui/core/macro'
import type { Reply } from '../../../contract/endpoint.ts'
import type { api } from '../../../contract/index.ts'
import { namesOf, type Named } from '../names-of.ts'
import { doneWords } from './bulk-words.ts'
import { renamedWords } from './renamed-words.ts'

export type Restored = Reply<typeof api.trash.restore>

/** What came of restoring items: also the names that were taken meanwhile and the folders that are gone. */
export function restoredWords<Item extends Named>(
  all: readonly Item[],
  restored: ReadonlyMap<Item, Restored>,
  wasAtTop: (item: Item) => boolean,
): string {
  const came = all.flatMap((item) => {
    const now = restored.get(item)
    return now ? [{ item, now, isDisplaced: now.folder_id === 0 && !wasAtTop(item) }] : []
  })
  const [first] = came
  if (!first) return t`Nothing was restored.`
  const skipped = all.length - came.length
  const done = came.map(({ item }) => item)
  if (came.length === 1) return [oneWords(first.item, first.now, first.isDisplaced), ...skippedWords(skipped)].join(' ')
  const replaced = came.filter(({ now }) => now.outcome === 'replaced').length
  const displaced = came.filter(({ isDisplaced }) => isDisplaced).length
  const renamed = came.filter(({ now }) => now.outcome === 'renamed')
  return [
    doneWords('restore', namesOf(done), ''),
    ...renamedWords(renamed.map(({ item, now }) => ({ before: item.name, now: now.name }))),
    ...changedWords(displaced, replaced),
    ...skippedWords(skipped),
  ].join(' ')
}

function oneWords(item: Named, { outcome, name: now }: Restored, isDisplaced: boolean): string {
  const { name: before } = item
  const isRenamed = outcome === 'renamed'
  if (outcome === 'replaced') return t`“${before}” restored as a new version of “${now}”.`
  if (isRenamed && isDisplaced)
    return t`“${before}” restored at the top as “${now}”: its folder is gone, and its name is taken there. The rights of the top hold for it.`
  if (isRenamed) return t`“${before}” restored as “${now}”: its name is taken there.`
  if (isDisplaced) return t`“${before}” restored at the top: its folder is gone. The rights of the top hold for it.`
  return doneWords('restore', namesOf([item]), '')
}

const changedWords = (displaced: number, replaced: number): string[] => [
  ...(displaced > 0
    ? [
        plural(displaced, {
          one: '# is at the top, with the rights there: its folder is gone.',
          other: '# are at the top, with the rights there: their folders are gone.',
        }),
      ]
    : []),
  ...(replaced > 0 ? [plural(replaced, { one: '# became a new version.', other: '# became new versions.' })] : []),
]

const skippedWords = (skipped: number): string[] =>
  skipped > 0 ? [plural(skipped, { one: '# was skipped.', other: '# were skipped.' })] : []
