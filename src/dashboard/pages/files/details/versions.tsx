import { t } from '@lingui/core/macro'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { Link as RouterLink } from 'react-router-dom'
import { api } from '../../../../contract/index.ts'
import { read, useReading } from '../../../api/query.ts'
import { paths } from '../../../paths.ts'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import { dayOf, fullDate } from '../../../ui/words/format.ts'
import { Section, Titled } from './section.tsx'
import { useRested } from './use-rested.ts'

const MOST = 3

/** Who uploaded the versions of a file, and when; each leads to its pages. For workspace admins. */
export function Versions({ workspaceId, fileId }: { workspaceId: number; fileId: number }) {
  const [all, setAll] = useState(false)
  const query = { workspace_id: workspaceId }
  const { data, isError } = useReading({
    ...read(api.files.versions, { params: { id: fileId }, query }),
    enabled: useRested(),
  })
  if (isError) return null
  const total = data?.length ?? 0
  return (
    <Section aria-label={t`Versions`} aria-busy={!data}>
      <Titled title={t`Versions`}>
        {!all && total > MOST && (
          <Link component="button" type="button" onClick={() => setAll(true)}>{t`All ${total}`}</Link>
        )}
      </Titled>
      {!data && <SkeletonRows rows={1} height={20} columns="minmax(0, 1fr)" />}
      <List>
        {data?.slice(0, all ? total : MOST).map(({ version, uploaded_by_name, created_at }, at) => (
          <li key={version}>
            <RouterLink to={paths.view(workspaceId, fileId, at === 0 ? {} : { version })}>
              {t`Version ${version}`}
            </RouterLink>
            <small title={fullDate(created_at)}>
              {[uploaded_by_name, dayOf(created_at)].filter((each) => each !== '').join(', ')}
            </small>
            {at === 0 && total > 1 && <span className="current">{t`Current`}</span>}
          </li>
        ))}
      </List>
    </Section>
  )
}

const List = styled('ol')(({ theme }) => ({
  '&& li': { display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', columnGap: 8 },
  '.current': {
    marginLeft: 'auto',
    padding: '0 7px',
    borderRadius: 6,
    fontSize: '0.75rem',
    fontWeight: 500,
    lineHeight: '18px',
    color: theme.vars.palette.success.main,
    background: `color-mix(in srgb, ${theme.vars.palette.success.main} 14%, transparent)`,
  },
}))
