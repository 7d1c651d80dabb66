import { FILE_TYPES, type FileType } from '../../../contract/endpoints/files.ts'
import { api } from '../../../contract/index.ts'
import { read } from '../../api/query.ts'
import { idOf } from '../../paths.ts'
import type { Reader } from '../../shared/listing/folder-query.ts'

export const PAGE_SIZES = [25, 50, 75, 100] as const
/** Days that the filter by time can look back. */
export const SPANS = [7, 30, 365] as const

/** The query, the filters and the page of a search, as read from the address. */
export interface Search {
  workspaceId: number
  /** The group or person in whose place is searched. */
  seenAs?: Reader | undefined
  q: string
  /** 0 means everywhere. */
  folder: number
  type: FileType | undefined
  /** Changed within this many days. */
  changed: (typeof SPANS)[number] | undefined
  page: number
  perPage: (typeof PAGE_SIZES)[number]
}

export function searchAt(id: string | undefined, params: URLSearchParams, seenAs?: Reader): Search {
  const chosen = <T extends string | number>(all: readonly T[], name: string) =>
    all.find((each) => String(each) === params.get(name))
  return {
    workspaceId: idOf(id),
    seenAs,
    q: params.get('q')?.trim() ?? '',
    folder: Math.max(0, idOf(params.get('folder') ?? '0')),
    type: chosen(FILE_TYPES, 'type'),
    changed: chosen(SPANS, 'changed'),
    page: Math.max(1, idOf(params.get('page') ?? '1')),
    perPage: chosen(PAGE_SIZES, 'per_page') ?? 25,
  }
}

export const isFiltered = ({ folder, type, changed }: Search): boolean =>
  folder !== 0 || type !== undefined || changed !== undefined

export function filesQuery({ workspaceId, seenAs, q, folder, type, changed, page, perPage }: Search) {
  const where = {
    ...(folder !== 0 && { folder_id: folder }),
    ...(type && { type }),
    ...(changed && { changed_since: daysAgo(changed) }),
  }
  const query = { workspace_id: workspaceId, q, ...where, page, per_page: perPage }
  return seenAs
    ? read(api.permissions.searchFilesAs, { query: { ...query, ...seenAs } })
    : read(api.files.search, { query })
}

export function foldersQuery({ workspaceId, seenAs, q }: Search) {
  const query = { workspace_id: workspaceId, q }
  return seenAs
    ? read(api.permissions.searchFoldersAs, { query: { ...query, ...seenAs } })
    : read(api.folders.search, { query })
}

/** The workspace that is searched, as the searching reader has it. */
export const roomOf = ({ workspaceId: id, seenAs }: Search) => ({ id, ...(seenAs && { seenAs }) })

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
