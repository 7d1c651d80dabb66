import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import { UserPlus } from 'lucide-react'
import { useSearchParams } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { prefetch, read, useRead } from '../../api/query.ts'
import { Branding } from '../../shared/branding/branding.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Part, PartColumns, Parts } from '../../ui/part.tsx'
import { SearchField } from '../../ui/fields/search-field.tsx'
import { AllTeams } from './all-teams.tsx'
import { CreateUserDialog } from './create-user-dialog.tsx'
import { OrganizationForm } from './organization-form.tsx'
import { matchingUsers, organizationQuery, usersQuery } from './organization-info.ts'
import { SupportForm } from './support-form.tsx'
import { UsersTable } from './users-table.tsx'

export const loader = () => prefetch(usersQuery(), organizationQuery(), read(api.teams.list))

/** Only organization admins see the page: the service refuses the list of users to everyone else. */
export function OrganizationPage() {
  const { users } = useRead(usersQuery())
  const organization = useRead(organizationQuery())
  const teams = useRead(read(api.teams.list))
  const [search, setSearch] = useSearchParams()
  const q = search.get('q') ?? ''
  const filter = (text: string) => setSearch(text ? { q: text } : {}, { replace: true })
  return (
    <>
      <PageHeader title={organization.name || t`Organization`} text={summaryOf(users)}>
        <SearchField value={q} onChange={filter} label={t`Filter users`} width={200} />
        <Button variant="contained" startIcon={<UserPlus size={16} />} onClick={() => setSearch({ new: '' })}>
          <Trans>New user</Trans>
        </Button>
      </PageHeader>
      <PartColumns>
        <Parts>
          <Part title={t`Users`}>
            <UsersTable users={matchingUsers(users, q)} onShowAll={() => filter('')} />
          </Part>
        </Parts>
        <Parts>
          <Part title={t`Information`}>
            <OrganizationForm organization={organization} />
          </Part>
          <Part title={t`Support`}>
            <SupportForm organization={organization} />
          </Part>
          <Part title={t`Branding`}>
            <Branding place="organization" />
          </Part>
          <Part title={t`Teams`}>
            <AllTeams teams={teams} />
          </Part>
        </Parts>
      </PartColumns>
      {search.has('new') && <CreateUserDialog onClose={() => setSearch({})} />}
    </>
  )
}

function summaryOf(users: readonly { status: string; organization_admin: boolean }[]): string {
  const admins = users.filter(({ organization_admin }) => organization_admin).length
  const invited = users.filter(({ status }) => status === 'invited').length
  const all = plural({ users: users.length }, { one: '# user', other: '# users' })
  const adminWords = plural(admins, { one: '# organization admin', other: '# organization admins' })
  if (invited === 0) return t`${all}, ${adminWords}`
  const rest = plural(invited, { one: '# not yet here', other: '# not yet here' })
  return t`${all}, ${adminWords}, ${rest}`
}

export { OrganizationPage as Component }
