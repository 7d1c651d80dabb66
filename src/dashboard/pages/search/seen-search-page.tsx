import { useSearchParams, type LoaderFunctionArgs } from 'react-router-dom'
import { prefetch } from '../../api/query.ts'
import { idOf, paths } from '../../paths.ts'
import { groupsQuery, peopleQuery, seenBy, useSeen } from '../../shared/view-as/seen-by.ts'
import { SeenFrame } from '../../shared/view-as/seen-frame.tsx'
import { useWorkspace } from '../../shared/workspace.ts'
import { ShownSearch } from './search-page.tsx'
import { searchAt } from './search-url.ts'

export const loader = ({ params }: LoaderFunctionArgs) => {
  const id = idOf(params['workspaceId'])
  return prefetch(peopleQuery(id), groupsQuery(id))
}

/** What a group or a person finds, with the passages that they are shown. */
export function SeenSearchPage() {
  const workspace = useWorkspace()
  const seen = useSeen(workspace) ?? seenBy(workspace)
  const search = searchAt(String(workspace.id), useSearchParams()[0], seen.seenAs)
  const leaveTo = search.q === '' ? paths.files(workspace.id) : paths.search(workspace.id, search.q)
  return (
    <SeenFrame workspace={seen} tab="search" leaveTo={leaveTo}>
      <div style={{ overflow: 'auto' }}>
        <ShownSearch key={JSON.stringify(seen.seenAs)} search={search} />
      </div>
    </SeenFrame>
  )
}

export { SeenSearchPage as Component }
