import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { prefetch, read } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { PageHeader } from '../../ui/page-header.tsx'

export const loader = () => prefetch(read(api.users.workspaces), read(api.teams.list))

export function HomePage() {
  const { workspaces } = useSuspenseQuery(read(api.users.workspaces)).data
  return (
    <>
      <PageHeader title="Spaces" />
      <ul>
        {workspaces.map(({ id, name }) => (
          <li key={id}>
            <Link to={paths.workspace(id)}>{name}</Link>
          </li>
        ))}
      </ul>
    </>
  )
}

export { HomePage as Component }
