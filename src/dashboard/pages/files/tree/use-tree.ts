import { useCallback, useMemo, useState } from 'react'
import { useReadings } from '../../../api/query.ts'
import type { FolderContent, FolderMeta } from '../../../shared/listing/entries.ts'
import { folderQuery, type Workspace } from '../../../shared/listing/folder-query.ts'
import { idsAbove, treeRows, type Levels } from './tree-rows.ts'
import { ROOT } from '../../../shared/listing/folder-query.ts'

/** The folders of the workspace as a tree. A level is read when its folder is first opened. */
export function useTree(workspace: Workspace, current: FolderMeta | undefined) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set([ROOT]))
  const expanded = useOpenAbove(opened, setOpened, current)
  const { levels, failed, retry } = useLevels(workspace, expanded)
  const rows = useMemo(() => treeRows(levels, expanded), [levels, expanded])
  const toggle = useCallback((id: number, open: boolean) => setOpened((before) => withId(before, id, open)), [])
  return useMemo(() => ({ rows, toggle, failed, retry }), [rows, toggle, failed, retry])
}

export type Tree = ReturnType<typeof useTree>

/** Opens the folders above the current one once, on arrival. A folder that the user closes later stays closed. */
function useOpenAbove(
  opened: ReadonlySet<number>,
  setOpened: (ids: ReadonlySet<number>) => void,
  current: FolderMeta | undefined,
) {
  const [seen, setSeen] = useState<string>()
  if (!current || seen === current.id_path) return opened
  const all = new Set([...opened, ...idsAbove(current.id_path)])
  setSeen(current.id_path)
  setOpened(all)
  return all
}

function withId(ids: ReadonlySet<number>, id: number, present: boolean): ReadonlySet<number> {
  const next = new Set(ids)
  if (present) next.add(id)
  else next.delete(id)
  return next
}

interface LevelResult {
  data: FolderMeta[] | undefined
  isError: boolean
  refetch: () => Promise<unknown>
}

interface LoadedLevels {
  levels: Levels
  /** Whether a level could not be read. */
  failed: boolean
  retry: () => void
}

function useLevels(workspace: Workspace, expanded: ReadonlySet<number>): LoadedLevels {
  const ids = useMemo(() => [...expanded], [expanded])
  return useReadings({
    // Select the folders alone, so that a change of the files in a level does not draw the tree again.
    queries: ids.map((id) => ({ ...folderQuery(workspace, id), select: foldersOf })),
    combine: useCallback(
      (results: LevelResult[]) => ({
        levels: new Map(ids.flatMap((id, at) => (results[at]?.data ? [[id, results[at].data] as const] : []))),
        failed: results.some((result) => result.isError),
        retry: () => results.forEach((result) => result.isError && void result.refetch()),
      }),
      [ids],
    ),
  })
}

const foldersOf = (content: FolderContent) => content.immediate_subfolders
