import { plural, t } from '@lingui/core/macro'
import { styled } from '@mui/material/styles'
import { type ReactNode, useEffect, useMemo } from 'react'
import { MAX_REACH_FOLDERS } from '../../../../contract/endpoints/permissions.ts'
import { api } from '../../../../contract/index.ts'
import { read, useReading, useReadings } from '../../../api/query.ts'
import { type Entry, type EntryKey, isFolder } from '../../../shared/listing/entries.ts'
import { type FolderReach, FRESH_MS, type GroupInfo } from '../../../shared/who/reach.ts'
import { calendarDate, dayAndMonth } from '../../../ui/words/format.ts'
import { useRoomAddress, useRoomListing } from '../room-listing.tsx'

/** Requests for the folders of a list; the lines of further folders stay empty. */
const MAX_REQUESTS = 10
/** An end of access in so many days is shown. */
const SOON_DAYS = 7

/** What the line says where it differs from the line of a reader. */
export interface Guarded {
  protection: ReactNode
  /** "9 files" of a folder; undefined where they are not counted. */
  holds: string | undefined
}
type Protected = ReadonlyMap<EntryKey, Guarded>

/** Reads how the lines of the list are protected, and how much folders hold, for workspace admins. Draws nothing. */
export function Protection({ onKnown }: { onKnown: (known: Protected | undefined) => void }) {
  const { workspace, folderId } = useRoomAddress()
  const { entries } = useRoomListing()
  const folders = useMemo(() => foldersOf(entries, folderId), [entries, folderId])
  const query = { workspace_id: workspace.id }
  const { data: groups } = useReading({ ...read(api.groups.list, { query }), staleTime: FRESH_MS })
  const reaches = useReadings({
    queries: partsOf(folders).map((folder_ids) => ({
      ...read(api.permissions.reach, { query: { ...query, folder_ids, documents: true } }),
      staleTime: FRESH_MS,
      enabled: groups !== undefined,
    })),
    combine: (parts) => parts.flatMap(({ data }) => data ?? []),
  })
  const known = useMemo(
    () => groups && cellsOf(entries, folderId, groups, reaches),
    [entries, folderId, groups, reaches],
  )
  useEffect(() => onKnown(known), [known, onKnown])
  return null
}

const foldersOf = (entries: readonly Entry[], folderId: number): number[] => [
  folderId,
  ...entries.filter(isFolder).map(({ id }) => id),
]

function partsOf(folders: readonly number[]): number[][] {
  const parts = Math.min(MAX_REQUESTS, Math.ceil(folders.length / MAX_REACH_FOLDERS))
  return Array.from({ length: parts }, (_, at) => folders.slice(at * MAX_REACH_FOLDERS, (at + 1) * MAX_REACH_FOLDERS))
}

function cellsOf(
  entries: readonly Entry[],
  folderId: number,
  groups: readonly GroupInfo[],
  reaches: readonly FolderReach[],
): Protected {
  const byId = new Map(
    groups.filter(({ expired, is_draft }) => !expired && !is_draft).map((group) => [group.id, group]),
  )
  const cells = new Map(reaches.map((reach) => [reach.folder_id, cellOf(reach, byId, reach.folder_id !== folderId)]))
  const counts = new Map(reaches.map(({ folder_id, documents }) => [folder_id, documents]))
  return new Map(
    entries.map((entry) => {
      const count = isFolder(entry) ? counts.get(entry.id) : undefined
      const holds = typeof count === 'number' ? plural(count, { one: '# file', other: '# files' }) : undefined
      return [entry.key, { protection: cells.get(isFolder(entry) ? entry.id : folderId), holds }]
    }),
  )
}

/** A group that comes in, and whether it may download. */
interface Entering {
  group: GroupInfo
  download: boolean
}

function cellOf({ groups }: FolderReach, byId: ReadonlyMap<number, GroupInfo>, isFolder: boolean): ReactNode {
  const reaching = groups.flatMap((reach) => {
    const group = byId.get(reach.group_id)
    return group ? [{ group, download: reach.download, view: reach.view }] : []
  })
  const entering = reaching.filter(({ view }) => view)
  if (entering.length > 0) return <Chips entering={entering} />
  return <Quiet>{isFolder && reaching.length > 0 ? t`Differs inside` : t`Admins only`}</Quiet>
}

function Chips({ entering }: { entering: readonly Entering[] }) {
  const title = entering.map(sentenceOf).join('\n')
  const downloading = entering.filter(({ download }) => download)
  const chips = [
    shareOf(t`Watermark`, entering, ({ watermarked, drm_enabled }) => watermarked || drm_enabled),
    downloading.length === 0 ? t`View only` : shareOf(t`Sealed`, downloading, ({ drm_enabled }) => drm_enabled),
  ].filter((each) => each !== undefined)
  const end = soonestOf(entering)
  return (
    <>
      {chips.slice(0, end ? 1 : 2).map((words) => (
        <Chip key={words} title={title}>
          {words}
        </Chip>
      ))}
      {end && (
        <Chip className="ends" title={title}>
          {t`To ${dayAndMonth(end)}`}
        </Chip>
      )}
      {chips.length === 0 && !end && <Quiet title={title}>{t`Not protected`}</Quiet>}
    </>
  )
}

/** "Watermark", or "Watermark 2/3" where it applies to some of the groups only. */
function shareOf(words: string, entering: readonly Entering[], has: (group: GroupInfo) => boolean): string | undefined {
  const having = entering.filter(({ group }) => has(group)).length
  if (having === 0) return undefined
  return having === entering.length ? words : `${words} ${having}/${entering.length}`
}

function soonestOf(entering: readonly Entering[]): string | undefined {
  const soon = new Date(Date.now() + SOON_DAYS * 86_400_000).toISOString().slice(0, 10)
  const ends = entering.flatMap(({ group }) => group.expire_workspace_access_at ?? [])
  return ends.toSorted().find((end) => end <= soon)
}

/** "Buyers: view and download, watermark, to 24 Jan 2027", for each group. */
function sentenceOf({ group, download }: Entering): string {
  const { name, drm_enabled, watermarked, expire_workspace_access_at: end } = group
  const day = end === null ? '' : calendarDate(end)
  const facts = [
    download ? t`view and download` : t`view only`,
    drm_enabled ? t`sealed, with watermark` : watermarked && t`with watermark`,
    day !== '' && t`ends ${day}`,
  ]
  return `${name}: ${facts.filter((each) => typeof each === 'string').join(', ')}`
}

const Quiet = styled('span')(({ theme }) => ({ color: theme.vars.palette.text.secondary, fontSize: '0.75rem' }))

const Chip = styled('span')(({ theme }) => ({
  padding: '2px 7px',
  borderRadius: 6,
  background: theme.vars.palette.selection.item,
  fontSize: '0.75rem',
  fontWeight: 500,
  lineHeight: '16px',
  whiteSpace: 'nowrap',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  ':first-of-type': { flexShrink: 0 },
  '&.ends': {
    background: `color-mix(in srgb, ${theme.vars.palette.warning.main} 14%, transparent)`,
    color: theme.vars.palette.warning.main,
  },
}))
