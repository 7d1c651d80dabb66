import { lazy, memo, Suspense, useCallback, useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import type { Press } from '../../../shared/actions/shortcut.ts'
import { actionFor, actionsAt, type Action } from '../actions.ts'
import type { Entry, EntryKey } from '../../../shared/listing/entries.ts'
import { usePainted } from '../../../ui/use-painted.ts'
import { withTexts } from '../../../ui/words/language.ts'
import { FileList } from './file-list.tsx'
import { LoadingFolder } from './loading-folder.tsx'
import { NameField } from './name-field.tsx'
import type { Guarded } from './protection.tsx'
import { ListPlace } from '../panes.tsx'
import { useRoomCommands } from '../room-commands.tsx'
import { useRoomAddress, useRoomListing } from '../room-listing.tsx'
import type { OpenMenu } from '../room-menu.tsx'
import { useRoomSelection, useSelecting } from '../room-selection.tsx'
import { NOTHING } from '../../../shared/listing/selection.ts'
import { folderPath, ROOT } from '../../../shared/listing/folder-query.ts'
import type { Sort } from '../../../shared/listing/sort.ts'
import type { Rename } from './use-rename.ts'
import { useDrag } from './use-row-drag.ts'
import { useUnread } from '../use-unread.ts'
import { useScreen } from '../../../shared/listing/use-screen.ts'

const BulkBar = lazy(async () => ({ default: (await import('../change/bulk-bar.tsx')).BulkBar }))
const EmptyFolder = lazy(async () => ({ default: (await import('./list-states.tsx')).EmptyFolder }))
const loadProtection = withTexts('administration', () => import('./protection.tsx'))
const Protection = lazy(async () => ({ default: (await loadProtection()).Protection }))
const ListFoot = lazy(async () => ({ default: (await import('./list-foot.tsx')).ListFoot }))
const FailedFolder = lazy(async () => ({ default: (await import('./list-states.tsx')).FailedFolder }))

type RunKey = (press: Press) => boolean

/** The list of the open folder, or its loading, empty or error state. */
export const FolderList = memo(function FolderList({ onMenu }: { onMenu: OpenMenu }) {
  const { workspace } = useRoomAddress()
  const { content, error, entries, filter, setFilter, retry, situation } = useRoomListing()
  const { touch } = useScreen()
  const runKey = useRunKey()
  useKeysOfNobody(runKey)
  if (error && !content) {
    return (
      <ListPlace className="bare">
        <Suspense>
          <FailedFolder error={error} top={folderPath(workspace, ROOT)} onRetry={retry} />
        </Suspense>
      </ListPlace>
    )
  }
  if (!content) {
    return (
      <ListPlace>
        <LoadingFolder touch={touch} />
      </ListPlace>
    )
  }
  if (entries.length === 0) {
    return (
      <ListPlace className="bare">
        <Suspense>
          <EmptyFolder
            content={content}
            mayUpload={situation.abilities.upload}
            filter={filter}
            onClearFilter={() => setFilter('')}
          />
        </Suspense>
      </ListPlace>
    )
  }
  return (
    <ListPlace>
      <Suspense>
        <Selected />
      </Suspense>
      <Lines onMenu={onMenu} onKey={runKey} />
    </ListPlace>
  )
})

function Lines({ onMenu, onKey }: { onMenu: OpenMenu; onKey: RunKey }) {
  const { workspace, sort, change } = useRoomAddress()
  const { title, entries, order } = useRoomListing()
  const { selection, choosing } = useRoomSelection()
  const { select, chooseAlso } = useSelecting()
  const { commands, rename } = useRoomCommands()
  const drag = useDrag()
  const { touch } = useScreen()
  const hasCome = useLocation().key !== 'default'
  const onSort = useCallback((sort: Sort) => change({ sort }), [change])
  const [protection, setProtection] = useState<ReadonlyMap<EntryKey, Guarded>>()
  const guarded = workspace.admin && !workspace.seenAs && !touch
  const painted = usePainted(true)
  return (
    <>
      <Suspense>{guarded && painted && <Protection onKnown={setProtection} />}</Suspense>
      <Suspense>{painted && <ListFoot />}</Suspense>
      <FileList
        guarded={guarded}
        protection={protection}
        label={title}
        entries={entries}
        order={order}
        selection={touch && !choosing ? NOTHING : selection}
        onSelect={select}
        sort={sort}
        onSort={onSort}
        onOpen={commands.open}
        onChoose={chooseAlso}
        onMenu={onMenu}
        onKey={onKey}
        drag={drag}
        touch={touch}
        choosing={choosing}
        autoFocus={hasCome && !touch}
        renaming={renamingIn(entries, rename)}
        unread={useUnread()}
      />
    </>
  )
}

function Selected() {
  const { situation, entries, filter } = useRoomListing()
  const { chosen, choosing } = useRoomSelection()
  const { chooseAll, clear } = useSelecting()
  const { commands } = useRoomCommands()
  const { touch } = situation
  const shown = touch ? choosing : chosen.length > 1
  if (!shown) return null
  return (
    <BulkBar
      chosen={chosen.length}
      listed={entries.length}
      filtered={filter.trim() !== ''}
      actions={actionsAt('bulk', situation, chosen)}
      touch={touch}
      onRun={(action: Action) => action.run(commands, chosen)}
      onChooseAll={chooseAll}
      onClear={clear}
    />
  )
}

/** Runs the action of a key on the chosen lines; the function returns whether the key had a meaning. */
function useRunKey(): RunKey {
  const { situation } = useRoomListing()
  const { commands } = useRoomCommands()
  const { now, clear } = useSelecting()
  return useCallback(
    (press) => {
      const { chosen } = now()
      const action = actionFor(press, situation, chosen)
      if (action) action.run(commands, chosen)
      else if (press.key === 'Escape' && chosen.length > 0) clear()
      else return false
      return true
    },
    [situation, commands, now, clear],
  )
}

/** Handles the same keys while no element has the focus, as in an empty folder without a list. */
function useKeysOfNobody(runKey: RunKey) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.activeElement !== document.body) return
      if (runKey(event)) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [runKey])
}

function renamingIn(entries: readonly Entry[], rename: Rename) {
  const entry = rename.key && entries.find(({ key }) => key === rename.key)
  if (!entry) return undefined
  const field = (
    <NameField
      entry={entry}
      others={entries}
      error={rename.error}
      pending={rename.pending}
      onSave={(name) => rename.save(entry, name)}
      onCancel={() => rename.begin(undefined)}
    />
  )
  return { key: entry.key, field }
}
