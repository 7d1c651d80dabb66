import { Trans } from '@lingui/react/macro'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { useRead } from '../../api/query.ts'
import type { User } from '../../api/session.ts'
import { nameOf } from '../../shared/people.ts'
import { naturally } from '../../ui/format.ts'
import { AddMemberForm } from './add-member-form.tsx'
import { type GroupInfo, membersQuery } from './group-info.ts'
import { MembersList } from './members-list.tsx'
import { RemoveMemberDialog } from './remove-member-dialog.tsx'

/** For workspace admins: nobody else is told who is in a group. */
export function GroupMembers({ group }: { group: GroupInfo }) {
  const members = useRead(membersQuery(group.workspace_id, group.id))
  const [leaving, setLeaving] = useState<User>()
  const sorted = members.toSorted((a, b) => naturally(nameOf(a), nameOf(b)))
  return (
    <>
      <AddMemberForm
        key={group.id}
        workspaceId={group.workspace_id}
        group={group}
        memberIds={new Set(members.map(({ id }) => id))}
      />
      {sorted.length > 0 ? (
        <MembersList members={sorted} onRemove={setLeaving} />
      ) : (
        <Typography color="textSecondary" sx={{ py: 2 }}>
          <Trans>Nobody is in this group yet. Add the first person above.</Trans>
        </Typography>
      )}
      {leaving && <RemoveMemberDialog group={group} member={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  )
}
