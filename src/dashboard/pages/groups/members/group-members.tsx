import { t } from '@lingui/core/macro'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { useRead, useReading } from '../../../api/query.ts'
import type { User } from '../../../api/session.ts'
import { nameOf } from '../../../shared/people.ts'
import { naturally } from '../../../ui/words/format.ts'
import { SearchField } from '../../../ui/fields/search-field.tsx'
import { DraftNote } from '../drafts/draft-note.tsx'
import { AddMemberForm } from './add-member-form.tsx'
import { type GroupInfo, membersQuery, peopleQuery } from '../group-info.ts'
import { MembersList } from './members-list.tsx'
import { RemoveMemberDialog } from './remove-member-dialog.tsx'
import { Uninvited } from './uninvited.tsx'

/** Above this number the list of members gets a filter. */
const MANY = 12

/** Shown to workspace admins only, because nobody else may read the members of a group. */
export function GroupMembers({ group }: { group: GroupInfo }) {
  const members = useRead(membersQuery(group.workspace_id, group.id))
  const { data: people = [] } = useReading(peopleQuery(group.workspace_id))
  const states = new Map(people.map(({ user, invitation_state }) => [user.id, invitation_state]))
  const [leaving, setLeaving] = useState<User>()
  const [q, setQ] = useState('')
  const sorted = matching(members, q).toSorted((a, b) => naturally(nameOf(a), nameOf(b)))
  return (
    <>
      {group.is_draft && <DraftNote />}
      <AddMemberForm key={group.id} workspaceId={group.workspace_id} group={group} />
      <Uninvited group={group} />
      {members.length > MANY && <SearchField label={t`Filter members`} value={q} onChange={setQ} width="100%" />}
      {sorted.length > 0 ? (
        <MembersList members={sorted} states={states} onRemove={setLeaving} />
      ) : (
        <Typography color="textSecondary" sx={{ py: 2 }}>
          {members.length > 0 ? t`Nobody matches` : t`Nobody is in this group yet. Add the first person above.`}
        </Typography>
      )}
      {leaving && <RemoveMemberDialog group={group} member={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  )
}

function matching(members: readonly User[], text: string): User[] {
  const wanted = text.trim().toLocaleLowerCase()
  return members.filter((member) => `${nameOf(member)} ${member.email}`.toLocaleLowerCase().includes(wanted))
}
