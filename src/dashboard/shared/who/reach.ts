import { plural, t } from '@lingui/core/macro'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { read, useReading } from '../../api/query.ts'

export type GroupInfo = Reply<typeof api.groups.list>[number]
export type FolderReach = Reply<typeof api.permissions.reach>[number]
export type GroupReach = FolderReach['groups'][number]

export const FRESH_MS = 30_000

export interface Reaching {
  group: GroupInfo
  reach: GroupReach
}

interface ReachedBy {
  /** Undefined until they are read. */
  groups: Reaching[] | undefined
  /** Draft groups, which nobody is in until they are published. */
  drafts: Reaching[]
  /** Number of folders below; null where all of them have the rights of the folder. */
  folders: number | null
  isError: boolean
}

/** Reads which groups have rights on a folder or below it, without those whose access has ended. For workspace admins. */
export function useReach(workspaceId: number, folderId: number, enabled = true): ReachedBy {
  const groups = useReading({
    ...read(api.groups.list, { query: { workspace_id: workspaceId } }),
    staleTime: FRESH_MS,
  })
  const reach = useReading({
    ...read(api.permissions.reach, { query: { workspace_id: workspaceId, folder_ids: [folderId] } }),
    staleTime: FRESH_MS,
    enabled,
  })
  const found = reach.data?.[0]
  const byId = new Map(found?.groups.map((each) => [each.group_id, each]))
  const reaching = groups.data?.flatMap((group) => {
    const own = byId.get(group.id)
    return own && !group.expired ? [{ group, reach: own }] : []
  })
  return {
    groups: reach.data && reaching?.filter(({ group }) => !group.is_draft),
    drafts: reaching?.filter(({ group }) => group.is_draft) ?? [],
    folders: found?.folders ?? null,
    isError: groups.isError || reach.isError,
  }
}

/** Describes the folders below that a group may view without viewing the folder itself. */
export function passesWords({ below }: GroupReach, folders: number | null): string {
  const view = below?.view ?? null
  if (view === null || folders === null) return t`Passes through to folders below`
  if (view === folders)
    return plural(view, {
      one: 'Passes through to the # folder below; later ones not included',
      other: 'Passes through to all # folders below; later ones not included',
    })
  return plural(view, { one: 'Passes through to # folder', other: 'Passes through to # folders' })
}

/** Says how many folders below are without the view right of the folder itself; undefined if there are none. */
export function exceptWords({ view, below }: GroupReach, folders: number | null): string | undefined {
  if (!view || folders === null || !below || below.view === null || below.view === folders) return undefined
  const lacking = folders - below.view
  return t`not in ${lacking} of ${plural(folders, { one: '# folder', other: '# folders' })} below`
}
