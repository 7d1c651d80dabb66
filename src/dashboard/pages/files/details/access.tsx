import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { Link as RouterLink } from 'react-router-dom'
import Link from '@mui/material/Link'
import { paths } from '../../../paths.ts'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import { naturally } from '../../../ui/words/format.ts'
import {
  exceptWords,
  type GroupInfo,
  type GroupReach,
  passesWords,
  type Reaching,
  useReach,
} from '../../../shared/who/reach.ts'
import { endDay, isNear, protectionWords } from '../../../shared/who/group-terms.ts'
import { ViewAsLink } from '../../../shared/view-as/view-as-link.tsx'
import { Section, Titled } from './section.tsx'
import { useRested } from './use-rested.ts'

interface AccessProps {
  workspaceId: number
  /** The chosen file. */
  fileId: number | undefined
  /** The folder whose rights are shown; for a file, the folder that contains it. */
  folder: { id: number }
  onWho: () => void
}

/** Lists the groups that may enter the folder, their rights and their protection. For workspace admins. */
export function Access({ workspaceId, folder, fileId, onWho }: AccessProps) {
  // Groups that only pass through to other folders do not see a file.
  const ofFile = fileId !== undefined
  const { groups, drafts, folders, isError } = useReach(workspaceId, folder.id, useRested())
  // After a failed request the rights are unknown, so show nothing. The page itself reports a lost connection.
  if (isError) return null
  const enters = ({ reach }: Reaching) => !ofFile || reach.view
  const entering = groups?.filter(enters).toSorted((a, b) => naturally(a.group.name, b.group.name))
  const waiting = drafts.filter(enters)
  const viewAs = ({ id, name }: GroupInfo) => (
    <ViewAsLink
      to={paths.viewAs(workspaceId, { group: id, ...(ofFile && { file: fileId }) }, folder.id)}
      name={name}
      className="seen"
    />
  )
  return (
    <Section aria-label={t`Access`} aria-busy={!entering}>
      <Titled title={t`Access`}>
        <Link component="button" type="button" onClick={onWho} sx={{ whiteSpace: 'nowrap' }}>
          <Trans>Who, and why?</Trans>
        </Link>
      </Titled>
      {!entering && <SkeletonRows rows={3} height={36} columns="minmax(0, 1fr)" />}
      {entering?.length === 0 && (
        <Typography color="textSecondary">
          <Trans>Only workspace admins come in here.</Trans>
        </Typography>
      )}
      <Groups>
        {entering?.map(({ group, reach }) => (
          <li key={group.id}>
            <RouterLink to={paths.group(workspaceId, group.id)} title={group.name}>
              {group.name}
            </RouterLink>
            <span>{rightsWords(reach, ofFile ? null : folders)}</span>
            <Protected group={group} />
            {viewAs(group)}
          </li>
        ))}
        {waiting.map(({ group, reach }) => (
          <li key={group.id}>
            <RouterLink to={paths.group(workspaceId, group.id)} title={group.name}>
              {group.name}
            </RouterLink>
            <span>{rightsWords(reach, ofFile ? null : folders)}</span>
            <small>{t`Once it is published`}</small>
            {viewAs(group)}
          </li>
        ))}
      </Groups>
    </Section>
  )
}

/** "View and download, not in 2 of 8 folders below". */
function rightsWords(reach: GroupReach, folders: number | null): string {
  const { view, download, upload } = reach
  if (!view) return passesWords(reach, folders)
  const may = () => {
    if (download && upload) return t`View, download and upload`
    if (download) return t`View and download`
    return upload ? t`View and upload` : t`View`
  }
  return [may(), exceptWords(reach, folders)].filter((each) => each !== undefined).join(', ')
}

/** "Watermark, sealed · to 18 Dec"; an end that is near stands out. */
function Protected({ group }: { group: GroupInfo }) {
  const end = group.expire_workspace_access_at
  // Access lasts until that day begins.
  const day = end !== null && endDay(end)
  return (
    <small>
      {protectionWords(group)}
      {day && (
        <>
          {' · '}
          <span className={isNear(end) ? 'soon' : undefined}>{t`to ${day}`}</span>
        </>
      )}
    </small>
  )
}

const Groups = styled('ul')(({ theme }) => ({
  '&& li': {
    position: 'relative',
    gridTemplateColumns: 'minmax(0, 104px) minmax(0, 1fr)',
    columnGap: 10,
    rowGap: 0,
    paddingRight: 30,
  },
  'li a:not(.seen)': { whiteSpace: 'normal' },
  '.seen': { position: 'absolute', top: 0, right: 0, padding: 5 },
  small: { gridColumn: 2 },
  '.soon': { color: theme.vars.palette.warning.main, fontWeight: 600 },
}))
