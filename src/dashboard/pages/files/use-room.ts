import { t } from '@lingui/core/macro'
import { useCallback, useMemo, useState } from 'react'
import { useDownload } from '../../shared/downloads/use-download.ts'
import type { Commands, Situation } from './actions.ts'
import type { Entry } from './entries.ts'
import type { Workspace } from './folder-query.ts'
import type { Question } from './question-dialog.tsx'
import { choose, chooseAll, clear, toggle } from './selection.ts'
import { idsAbove, ROOT } from './tree-rows.ts'
import { useFilesUrl } from './use-files-url.ts'
import { useFilterText } from './use-filter-text.ts'
import { useListing } from './use-listing.ts'
import { useRename } from './use-rename.ts'
import { useReorder } from './use-reorder.ts'
import { useScreen } from './use-screen.ts'
import { useSelection } from './use-selection.ts'
import { useTree } from './use-tree.ts'

const NO_ABILITIES = { view: false, download: false, upload: false, manage: false }

/** The state and the commands of the page, from which its parts pick. */
export function useRoom(workspace: Workspace) {
  const url = useFilesUrl()
  const { folderId, change } = url
  const screen = useScreen()
  const writeFilter = useCallback((q: string) => void change({ q }), [change])
  const [filter, setFilter] = useFilterText(url.filter, writeFilter, folderId)
  const listing = useListing(workspace, { folderId, sort: url.sort, filter })
  const { content, entries, order } = listing
  const selecting = useSelection(url, content && order)
  const { selection } = selecting
  const tree = useTree(workspace, content?.folder)
  const rename = useRename(workspace, folderId)
  const [question, setQuestion] = useState<Question>()
  const [wantsChoice, setWantsChoice] = useState(false)
  const chosen = useMemo(() => entries.filter(({ key }) => selection.chosen.has(key)), [entries, selection])
  const choosing = wantsChoice && chosen.length > 0
  const situation: Situation = {
    admin: workspace.admin,
    // Before the folder is read, keep the upload buttons from blinking: admins may upload into any folder.
    abilities: content?.abilities ?? { ...NO_ABILITIES, upload: workspace.admin && !listing.error },
    inOrder: url.sort === undefined && filter.trim() === '',
    atRoot: folderId === ROOT,
    detailsFolded: screen.folded,
    touch: screen.touch,
    totals: content?.totals ?? { folders: 0, files: 0 },
  }

  const download = useDownload(workspace.id)
  const shift = useReorder(workspace, folderId)
  const showDetails = (entry: Entry | undefined) =>
    selecting.selectWithDetails(entry ? choose(entry.key) : clear(selection))
  const openFile = (id: number) => {
    selecting.settle()
    void url.openFile(id)
  }
  const goUp = () => {
    const parent = content && idsAbove(content.folder.id_path).at(-1)
    if (parent === undefined) return
    selecting.prepare({ folderId: parent, selection: choose(`folder-${folderId}`) })
    void url.goTo(parent)
  }
  const commands: Commands = {
    open: (entry) => (entry.kind === 'folder' ? void url.goTo(entry.id) : openFile(entry.id)),
    goUp,
    download: (wanted) => void download(wanted),
    rename: rename.begin,
    shift,
    ask: (kind, asked) => setQuestion({ kind, entries: asked }),
    askCreate: () => setQuestion({ kind: 'create' }),
    showTrash: () => void url.goToTrash(),
    chooseAll: () => selecting.select(chooseAll(selection, order)),
    chooseAlso: (entry) => {
      setWantsChoice(true)
      selecting.select(choosing ? toggle(selection, entry.key) : choose(entry.key))
    },
    showDetails,
  }
  const knownName = content?.folder.name ?? nameInTree(tree, folderId)
  const title = folderId === ROOT ? workspace.name : (knownName ?? (listing.error ? t`Files` : '\u00a0'))
  return {
    workspace,
    url,
    screen,
    filter,
    setFilter,
    listing,
    tree,
    rename,
    question,
    setQuestion,
    situation,
    commands,
    selection,
    select: selecting.select,
    chosen,
    title,
    choosing,
  }
}

export type Room = ReturnType<typeof useRoom>

/** The tree often knows the name before the folder is read. */
const nameInTree = (tree: ReturnType<typeof useTree>, id: number) =>
  tree.rows.find((row) => row.id === id)?.folder?.name
