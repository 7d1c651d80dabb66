import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import MenuItem from '@mui/material/MenuItem'
import Skeleton from '@mui/material/Skeleton'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { read, useReading } from '../../../api/query.ts'
import { nameOf } from '../../../shared/people.ts'
import { WatermarkPreview } from '../../../shared/watermark-preview.tsx'
import { late } from '../../../ui/states/late.ts'
import { NotRead } from '../../../ui/states/not-read.tsx'
import { type GroupInfo, membersQuery } from '../group-info.ts'

/** Previews the pages as a member of the group sees them. Whoever waits for a draft sees none yet. */
export function GroupWatermark({ group: { id, workspace_id, is_draft } }: { group: GroupInfo }) {
  const { data: members, error, refetch } = useReading(membersQuery(workspace_id, id))
  const [chosen, setChosen] = useState<number>()
  if (!members && error) return <NotRead reason={messageOf(error)} onRetry={() => void refetch()} />
  if (!members) return <Waiting />
  const member = members.find((each) => each.id === chosen) ?? members[0]
  if (!member || is_draft) {
    return (
      <Typography variant="caption" color="textSecondary" sx={{ pl: '50px' }}>
        {is_draft ? (
          <Trans>Once the group is published, there is a preview here.</Trans>
        ) : (
          <Trans>With the first member there is a preview here.</Trans>
        )}
      </Typography>
    )
  }
  const name = nameOf(member)
  return (
    <Aside>
      <TextField
        select
        label={t`As seen by`}
        value={member.id}
        onChange={(event) => setChosen(Number(event.target.value))}
      >
        {members.map((each) => (
          <MenuItem key={each.id} value={each.id}>
            {nameOf(each)}
          </MenuItem>
        ))}
      </TextField>
      <WatermarkPreview
        label={t`A page as ${name} sees it`}
        queryFor={(page) =>
          read(api.watermarks.previewForMember, {
            params: { id },
            query: { workspace_id, user_id: member.id, ...page },
          })
        }
      />
    </Aside>
  )
}

/** A placeholder as high as the preview. */
function Waiting() {
  return (
    <Aside sx={{ animation: late }}>
      <Skeleton variant="rounded" height={36} />
      <div>
        <Skeleton variant="rounded" height={30} width={142} sx={{ mb: '10px' }} />
        <Skeleton variant="rounded" height="auto" sx={{ aspectRatio: '720 / 1018' }} />
      </div>
    </Aside>
  )
}

const Aside = styled('div')({ display: 'grid', gap: 12, maxWidth: 320, marginLeft: 50 })
