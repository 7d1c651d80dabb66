import { useQuestions } from '../../shared/frame/use-questions.ts'
import { t } from '@lingui/core/macro'
import { useCallback, useEffect, useMemo, type ReactNode } from 'react'
import { createStore } from '../../ui/store.ts'
import type { Situation } from './actions.ts'
import type { Workspace } from '../../shared/listing/folder-query.ts'
import { nameOfFolder, numberOf } from '../../shared/listing/entries.ts'
import { ROOT } from '../../shared/listing/folder-query.ts'
import { useFilesUrl, type FilesUrl } from './use-files-url.ts'
import { useFilterText } from '../../shared/listing/use-filter-text.ts'
import { useListing, type Listing } from './list/use-listing.ts'
import { useScreen } from '../../shared/listing/use-screen.ts'
import { useTree, type Tree } from './tree/use-tree.ts'

interface RoomAddress extends FilesUrl {
  workspace: Workspace
}

interface RoomListing extends Listing {
  /** The filter as it is typed; the address and the lines follow. */
  filter: string
  setFilter: (text: string) => void
  /** The number and name of the folder. */
  title: string
  /** The number with which the title begins; empty if it has none. */
  number: string
  situation: Situation
}

const [AddressStore, useRoomAddress] = createStore<RoomAddress>('address')
const [ListingStore, useRoomListing] = createStore<RoomListing>('listing')
const [TreeStore, useRoomTree] = createStore<Tree>('tree')
export { useRoomAddress, useRoomListing, useRoomTree }

/** Owns the address, the listing of the folder in it, and the tree. */
export function ListingOwner({ workspace, children }: { workspace: Workspace; children: ReactNode }) {
  const url = useFilesUrl(workspace)
  const address = useMemo(() => ({ ...url, workspace }), [url, workspace])
  const { folderId, change } = url
  const writeFilter = useCallback((q: string) => change({ q }), [change])
  const [filter, setFilter] = useFilterText(url.filter, writeFilter, folderId)
  const listing = useListing(workspace, { folderId, sort: url.sort, filter })
  const { content, error } = listing
  const tree = useTree(workspace, content?.folder)
  const situation = useSituation(address, listing, filter)
  // The tree often knows the folder before its content is read.
  const known = content?.folder ?? tree.rows.find((row) => row.id === folderId)?.folder
  const number = known ? numberOf(known) : ''
  const knownName = known && nameOfFolder(known)
  const title = folderId === ROOT ? workspace.name : (knownName ?? (error ? t`Files` : '\u00a0'))
  useEffect(() => {
    document.title = `${title} – Strongroom`
  }, [title])
  const shown = useMemo(
    () => ({ ...listing, filter, setFilter, title, number, situation }),
    [listing, filter, setFilter, title, number, situation],
  )
  return (
    <AddressStore value={address}>
      <TreeStore value={tree}>
        <ListingStore value={shown}>{children}</ListingStore>
      </TreeStore>
    </AddressStore>
  )
}

const NO_ABILITIES = { view: false, download: false, upload: false, manage: false, sealed: false }

function useSituation({ workspace, folderId, sort }: RoomAddress, { content, error }: Listing, filter: string) {
  const { folded, touch } = useScreen()
  const { seenAs } = workspace
  const mayAsk = Boolean(useQuestions(workspace)?.groups.length)
  const inOrder = sort === undefined && filter.trim() === ''
  const isFailed = error !== null
  return useMemo<Situation>(
    () => ({
      admin: workspace.admin,
      readOnly: seenAs !== undefined,
      // Admins may upload into any folder. Assume it before the folder is read, so that the upload buttons do not
      // blink.
      abilities: (!seenAs && content?.abilities) || { ...NO_ABILITIES, upload: workspace.admin && !isFailed },
      inOrder,
      atRoot: folderId === ROOT,
      mayAsk,
      detailsFolded: folded,
      touch,
      totals: content?.totals ?? { folders: 0, files: 0 },
    }),
    [workspace.admin, seenAs, content, isFailed, inOrder, folderId, folded, touch, mayAsk],
  )
}
