import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router-dom'
import type { Reply } from '../../../../contract/endpoint.ts'
import { api } from '../../../../contract/index.ts'
import { MIXED_SHIFT } from '../../../../contract/endpoints/permissions.ts'
import { bitOf, isAdminGroup } from '../../../../contract/rules.ts'
import { read, useReading } from '../../../api/query.ts'
import { paths } from '../../../paths.ts'
import { calendarDate } from '../../../ui/words/format.ts'
import { SkeletonRows } from '../../../ui/states/skeleton-rows.tsx'
import { Section } from './section.tsx'

type GroupInfo = Reply<typeof api.groups.list>[number]

interface AccessProps {
  workspaceId: number
  /** The folder whose rights are shown; for a file, the folder that contains it. */
  folder: { id: number; parent_id: number }
  /** The rights are those on a file: groups that only pass through to other folders do not see it. */
  ofFile: boolean
}

/** The API takes at most this many groups per request. */
const AT_MOST = 20
const FRESH_MS = 30_000

const [VIEW, DOWNLOAD, UPLOAD] = [bitOf('view'), bitOf('download'), bitOf('upload')]
const ENTERS = VIEW | UPLOAD
const MIXED = ENTERS << MIXED_SHIFT

/** Lists the groups that may enter the folder, their rights and their protection. For workspace admins. */
export function Access({ workspaceId, folder, ofFile }: AccessProps) {
  const { data: groups, isError: isGroupsFailed } = useReading({
    ...read(api.groups.list, { query: { workspace_id: workspaceId } }),
    staleTime: FRESH_MS,
  })
  const asked = (groups ?? []).filter((group) => !isAdminGroup(group)).slice(0, AT_MOST)
  const { data: sheet, isError: isSheetFailed } = useReading({
    ...read(api.permissions.sheet, {
      query: { workspace_id: workspaceId, group_ids: asked.map(({ id }) => id), folder_ids: [folder.parent_id] },
    }),
    staleTime: FRESH_MS,
    enabled: asked.length > 0,
  })
  const row = sheet?.rows.find(({ id }) => id === folder.id)
  const rights = row?.rights
  // A right that all folders below have, and this one has not, is not mixed. Then the direct subfolders have it.
  const isUnclear = rights?.some((bits) => !(bits & (ENTERS | MIXED))) ?? false
  const { data: below } = useReading({
    ...read(api.permissions.sheet, {
      query: { workspace_id: workspaceId, group_ids: asked.map(({ id }) => id), folder_ids: [folder.id] },
    }),
    staleTime: FRESH_MS,
    enabled: !ofFile && isUnclear && (row?.children ?? 0) > 0,
  })
  // After a failed request the rights are unknown, so show nothing. The page itself reports a lost connection.
  if (isGroupsFailed || isSheetFailed) return null
  const isKnown = groups && (asked.length === 0 || rights)
  const entering = asked.flatMap((group, at) => {
    const bits = group.expired ? 0 : (rights?.[at] ?? 0)
    const isBelow = bits & MIXED || below?.rows.some((each) => each.id !== folder.id && (each.rights[at] ?? 0) & ENTERS)
    return bits & ENTERS || (isBelow && !group.expired && !ofFile) ? [{ group, bits }] : []
  })
  return (
    <Section aria-label={t`Access`}>
      <Typography variant="h3">{t`Access`}</Typography>
      {!isKnown && <SkeletonRows rows={3} height={36} columns="minmax(0, 1fr)" />}
      {isKnown && entering.length === 0 && (
        <Typography color="textSecondary">
          <Trans>Only workspace admins come in here.</Trans>
        </Typography>
      )}
      <ul>
        {entering.map(({ group, bits }) => (
          <GroupLine key={group.id} group={group} bits={bits} to={paths.group(workspaceId, group.id)} />
        ))}
      </ul>
      <Link to={paths.permissions(workspaceId, { who: folder.id })}>
        <Trans>Who can see this, and why?</Trans>
      </Link>
    </Section>
  )
}

function GroupLine({ group, bits, to }: { group: GroupInfo; bits: number; to: string }) {
  return (
    <li>
      <Link to={to}>{group.name}</Link>
      <small>{[rightsWords(bits), ...protectionWords(group)].join(' · ')}</small>
    </li>
  )
}

function rightsWords(bits: number): string {
  const [view, download, upload] = [bits & VIEW, bits & DOWNLOAD, bits & UPLOAD]
  if (download && upload) return t`May view, download and upload`
  if (download) return t`May view and download`
  if (view && upload) return t`May view and upload`
  if (upload) return t`May upload`
  return view ? t`May view` : t`Only passes through to folders below`
}

function protectionWords({ watermarked, drm_enabled, expire_workspace_access_at: end }: GroupInfo): string[] {
  const words = [drm_enabled && t`DRM`, watermarked && !drm_enabled && t`Watermark`, end && endWords(end)]
  return words.filter((each) => typeof each === 'string')
}

function endWords(end: string): string {
  const day = calendarDate(end)
  return t`ends ${day}`
}
