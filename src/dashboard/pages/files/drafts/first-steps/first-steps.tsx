import { t } from '@lingui/core/macro'
import { Check, FileSignature, UserPlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { api } from '../../../../../contract/index.ts'
import { read, useReading } from '../../../../api/query.ts'
import { paths } from '../../../../paths.ts'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { naturally } from '../../../../ui/words/format.ts'

const InviteDialog = lazy(async () => ({ default: (await import('./invite-groups-dialog.tsx')).InviteGroupsDialog }))

/** What is usually done before a workspace is published for the first time. Each step says whether it is done. */
export function FirstSteps({ workspaceId: id }: { workspaceId: number }) {
  const { data: versions = [] } = useReading(read(api.terms.listVersions, { params: { id } }))
  const { data: all = [] } = useReading(read(api.groups.list, { query: { workspace_id: id } }))
  const groups = all.filter(({ kind }) => kind === 'custom').toSorted((a, b) => naturally(a.name, b.name))
  const hasTerms = versions.some(({ in_force }) => in_force)
  const hasPeople = groups.some(({ members_count }) => (members_count ?? 0) > 0)
  const [invites, setInvites] = useState(false)
  return (
    <>
      <ButtonLink
        variant="outlined"
        to={`${paths.issuedTerms(id)}#write`}
        startIcon={hasTerms ? <Check size={16} /> : <FileSignature size={16} />}
      >
        {hasTerms ? t`Terms are in force` : t`Write terms`}
      </ButtonLink>
      {groups.length > 0 && (
        <Button
          variant="outlined"
          startIcon={hasPeople ? <Check size={16} /> : <UserPlus size={16} />}
          onClick={() => setInvites(true)}
        >
          {hasPeople ? t`Invite more…` : t`Invite…`}
        </Button>
      )}
      <Suspense>
        {invites && <InviteDialog workspaceId={id} groups={groups} onClose={() => setInvites(false)} />}
      </Suspense>
    </>
  )
}
