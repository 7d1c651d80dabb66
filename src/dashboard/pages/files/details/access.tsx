import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { Link as RouterLink } from 'react-router-dom'
import Link from '@mui/material/Link'
import { Eye } from 'lucide-react'
import { paths } from '../../../paths.ts'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import { calendarDate } from '../../../ui/words/format.ts'
import {
  exceptWords,
  type GroupInfo,
  type GroupReach,
  passesWords,
  type Reaching,
  useReach,
} from '../../../shared/who/reach.ts'
import { Section } from './section.tsx'
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
  const entering = groups?.filter(enters)
  const waiting = drafts.filter(enters)
  const viewAs = ({ id, name }: GroupInfo) => (
    <ViewAs to={paths.viewAs(workspaceId, { group: id, ...(ofFile && { file: fileId }) }, folder.id)} name={name} />
  )
  return (
    <Section aria-label={t`Access`} aria-busy={!entering}>
      <Typography variant="h3">{t`Access`}</Typography>
      {!entering && <SkeletonRows rows={3} height={36} columns="minmax(0, 1fr)" />}
      {entering?.length === 0 && (
        <Typography color="textSecondary">
          <Trans>Only workspace admins come in here.</Trans>
        </Typography>
      )}
      <Groups>
        {entering?.map(({ group, reach }) => (
          <li key={group.id}>
            <RouterLink to={paths.group(workspaceId, group.id)}>{group.name}</RouterLink>
            <small>{[...rightsWords(reach, ofFile ? null : folders), ...protectionWords(group)].join(' · ')}</small>
            {viewAs(group)}
          </li>
        ))}
        {waiting.map(({ group, reach }) => (
          <li key={group.id}>
            <RouterLink to={paths.group(workspaceId, group.id)}>{group.name}</RouterLink>
            <small>{[t`Once it is published`, ...rightsWords(reach, ofFile ? null : folders)].join(' · ')}</small>
            {viewAs(group)}
          </li>
        ))}
      </Groups>
      <Link component="button" type="button" onClick={onWho} sx={{ justifySelf: 'start' }}>
        <Trans>Who can see this, and why?</Trans>
      </Link>
    </Section>
  )
}

function ViewAs({ to, name }: { to: string; name: string }) {
  const label = t`View as ${name}`
  return (
    <IconButton component={RouterLink} to={to} aria-label={label} title={label} className="seen">
      <Eye size={15} />
    </IconButton>
  )
}

const Groups = styled('ul')({
  '> li': { position: 'relative', paddingRight: 30 },
  '.seen': { position: 'absolute', top: 0, right: 0, padding: 5 },
})

function rightsWords(reach: GroupReach, folders: number | null): string[] {
  const { view, download, upload } = reach
  if (!view) return [passesWords(reach, folders)]
  const except = exceptWords(reach, folders)
  const may = () => {
    if (download && upload) return t`May view, download and upload`
    if (download) return t`May view and download`
    return upload ? t`May view and upload` : t`May view`
  }
  return [may(), ...(except ? [except] : [])]
}

function protectionWords({ watermarked, drm_enabled, expire_workspace_access_at: end }: GroupInfo): string[] {
  const words = [drm_enabled && t`DRM`, watermarked && !drm_enabled && t`Watermark`, end && endWords(end)]
  return words.filter((each) => typeof each === 'string')
}

function endWords(end: string): string {
  const day = calendarDate(end)
  return t`ends ${day}`
}
