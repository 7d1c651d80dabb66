import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { UserPlus, Users } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams, type LoaderFunctionArgs } from 'react-router-dom'
import { api } from '../../../contract/index.ts'
import { prefetch, read, useRead } from '../../api/query.ts'
import { idOf } from '../../paths.ts'
import { NoMails } from '../../shared/inviting/no-mails.tsx'
import { useWorkspaceId } from '../../shared/workspace.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SearchField } from '../../ui/fields/search-field.tsx'
import { Sheet } from '../../ui/dialogs/sheet.tsx'
import { withValue } from '../../ui/with-value.ts'
import { AddPersonDialog } from './add-person-dialog.tsx'
import { type Member, matchingPeople } from './member.ts'
import { parseSort, sortAfter, sortPeople } from './people-sort.ts'
import { PeopleTable } from './people-table.tsx'
import { RemovePersonDialog } from './remove-person-dialog.tsx'
import { WaitingPeople } from './waiting-people.tsx'

/** Rows drawn at first. Thousands would be slow to draw, and such a table is searched rather than read. */
const FIRST_ROWS = 200

const peopleQuery = (id: number) => read(api.workspaces.listMembers, { params: { id } })

export const loader = ({ params }: LoaderFunctionArgs) => prefetch(peopleQuery(idOf(params['workspaceId'])))

export function PeoplePage() {
  const workspaceId = useWorkspaceId()
  const people = useRead(peopleQuery(workspaceId))
  const [search, setSearch] = useSearchParams()
  const [all, setAll] = useState(false)
  const q = search.get('q') ?? ''
  const [leaving, setLeaving] = useState<Member>()
  const sort = parseSort(search.get('sort'))
  const put = (name: string, value: string | undefined) => setSearch(withValue(name, value), { replace: true })
  // The address follows later than the next letter.
  const [typed, setTyped] = useState<string>()
  if (typed === q) setTyped(undefined)
  const filter = (text: string) => {
    setTyped(text)
    put('q', text || undefined)
  }
  const matching = sortPeople(matchingPeople(people, q), sort)
  const shown = all ? matching : matching.slice(0, FIRST_ROWS)
  return (
    <>
      <PageHeader title={t`People`} text={summaryOf(people)}>
        <SearchField value={typed ?? q} onChange={filter} label={t`Filter people`} width={200} />
        <Button variant="contained" startIcon={<UserPlus size={16} />} onClick={() => setSearch(withValue('add', ''))}>
          <Trans>Add person</Trans>
        </Button>
      </PageHeader>
      {people.some(({ invitation_state }) => invitation_state !== 'arrived') && (
        <Box sx={{ mx: 2, mb: 1.5 }}>
          <NoMails />
        </Box>
      )}
      <Sheet>
        {shown.length > 0 ? (
          <PeopleTable
            people={shown}
            sort={sort}
            onSort={(column) => put('sort', sortAfter(sort, column) || undefined)}
            onRemove={setLeaving}
          />
        ) : (
          <EmptyState
            icon={Users}
            title={t`No member of the workspace matches`}
            action={
              <Button onClick={() => filter('')}>
                <Trans>Show everybody</Trans>
              </Button>
            }
          />
        )}
      </Sheet>
      {shown.length < matching.length && (
        <Button onClick={() => setAll(true)} sx={{ mx: 2, mb: 2 }}>
          {plural({ people: matching.length }, { one: 'Show all # person', other: 'Show all # people' })}
        </Button>
      )}
      <WaitingPeople workspaceId={workspaceId} q={q} />
      {search.has('add') && <AddPersonDialog workspaceId={workspaceId} onClose={() => put('add', undefined)} />}
      {leaving && <RemovePersonDialog person={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  )
}

function summaryOf(people: readonly Member[]): string {
  const invited = people.filter(({ invitation_state }) => invitation_state !== 'arrived').length
  const all = plural({ people: people.length }, { one: '# person', other: '# people' })
  if (invited === 0) return all
  const rest = plural(invited, { one: '# not yet here', other: '# not yet here' })
  return t`${all}, ${rest}`
}

export { PeoplePage as Component }
