import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { idOf } from '../../paths.ts'
import { formatTrashSort, parseTrashSort, TRASH_KINDS, type TrashView } from './trash-view.ts'

/** Reads the view from the address and changes it. Every change goes back to the first page. */
export function useTrashUrl() {
  const [search, setSearch] = useSearchParams()
  const sortText = search.get('sort')
  const sort = useMemo(() => parseTrashSort(sortText), [sortText])
  const change = useCallback(
    (changes: Partial<TrashView>) => setSearch((before) => changed(before, changes), { replace: true }),
    [setSearch],
  )
  return {
    q: search.get('q') ?? '',
    kind: TRASH_KINDS.find((kind) => kind === search.get('type')) ?? 'all',
    sort,
    page: Math.max(1, idOf(search.get('page') ?? '1')),
    change,
  }
}

function changed(before: URLSearchParams, { q, kind, sort }: Partial<TrashView>): URLSearchParams {
  const after = new URLSearchParams(before)
  const put = (name: string, value: string | undefined) => (value ? after.set(name, value) : after.delete(name))
  if (q !== undefined) put('q', q)
  if (kind !== undefined) put('type', kind === 'all' ? undefined : kind)
  if (sort !== undefined) put('sort', formatTrashSort(sort))
  after.delete('page')
  return after
}
