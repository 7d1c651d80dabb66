import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import { ArrowRightLeft, Lock } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Link as RouterLink, useParams, type LoaderFunctionArgs } from 'react-router-dom'
import { queryClient } from '../../api/query-client.ts'
import { prefetch, useRead } from '../../api/query.ts'
import { idOf, paths } from '../../paths.ts'
import { enterableQuery } from '../../shared/workspace.ts'
import { Note } from '../../ui/states/note.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Part, PartColumns, Parts } from '../../ui/part.tsx'
import { SkeletonRows } from '../../ui/states/skeleton-rows.tsx'
import { HandOverDialog } from './hand-over-dialog.tsx'
import { TeamFacts } from './team-facts.tsx'
import { type TeamInfo, teamMembersQuery, teamQuery, templatesQuery } from './team-info.ts'
import { TeamLimits } from './team-limits.tsx'
import { TeamMembers } from './team-members.tsx'
import { TeamSwitches } from './team-switches.tsx'
import { TeamTemplates } from './team-templates.tsx'
import { TeamWorkspaces } from './team-workspaces.tsx'
import { WatermarkEditor } from './watermark-editor.tsx'

/** The lists of the page are read with it, because what stands below them would move. */
export function loader({ params }: LoaderFunctionArgs) {
  const id = idOf(params['teamId'])
  void prefetchForMembers(id)
  return prefetch(teamQuery(id), enterableQuery)
}

/** Asks only if the caller is a member, because the service refuses and records everybody else. */
async function prefetchForMembers(id: number) {
  const team = await queryClient.ensureQueryData(teamQuery(id)).catch(() => undefined)
  if (team?.member) prefetch(teamMembersQuery(id), templatesQuery(id))
}

export function TeamPage() {
  const team = useRead(teamQuery(idOf(useParams()['teamId'])))
  return (
    <>
      <PageHeader title={team.name} text={<WhatOneIs team={team} />}>
        {team.owner && <HandOver team={team} />}
      </PageHeader>
      <PartColumns>
        <Parts>
          <Part title={t`Members`}>
            <Members team={team} />
          </Part>
          <Part title={t`Workspaces`}>
            <TeamWorkspaces team={team} />
          </Part>
        </Parts>
        <Parts>
          <Part title={t`Name and limits`}>
            {team.member ? <TeamLimits key={team.id} team={team} /> : <TeamFacts team={team} />}
          </Part>
          <Part title={t`Features`}>
            <TeamSwitches team={team} />
          </Part>
          {team.member && (
            <Part title={t`Templates`}>
              <TeamTemplates team={team} />
            </Part>
          )}
        </Parts>
      </PartColumns>
      {team.member && (
        <Wide>
          <Part title={t`Watermark`}>
            <Suspense fallback={<SkeletonRows rows={4} height={46} columns="28px minmax(0, 1fr) 28px" />}>
              <WatermarkEditor key={team.id} team={team} />
            </Suspense>
          </Part>
        </Wide>
      )}
    </>
  )
}

const Wide = styled('div')({ padding: '0 16px 16px' })

/** Only the members of a team may know who is in it. */
function Members({ team }: { team: TeamInfo }) {
  if (team.member) return <TeamMembers key={team.id} team={team} />
  return (
    <Note icon={Lock}>
      <Trans>
        You see this team because you are an organization admin. Who is in it, and changing it, is for its members.
      </Trans>
    </Note>
  )
}

function WhatOneIs({ team }: { team: TeamInfo }) {
  const what = team.owner
    ? t`You own this team`
    : team.member
      ? t`You are a member of this team`
      : t`You are not in this team`
  return (
    <>
      <Link component={RouterLink} to={paths.home()}>
        <Trans>Spaces</Trans>
      </Link>
      {` · ${what}`}
    </>
  )
}

function HandOver({ team }: { team: TeamInfo }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="outlined" startIcon={<ArrowRightLeft size={16} />} onClick={() => setOpen(true)}>
        <Trans>Hand over</Trans>
      </Button>
      {open && <HandOverDialog team={team} onClose={() => setOpen(false)} />}
    </>
  )
}

export { TeamPage as Component }
