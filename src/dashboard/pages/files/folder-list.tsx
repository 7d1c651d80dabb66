import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import type { Press } from '../../shared/actions/shortcut.ts'
import { actionFor, actionsAt, type Action } from './actions.ts'
import { BulkBar } from './bulk-bar.tsx'
import type { Entry } from './entries.ts'
import { FileList } from './file-list.tsx'
import { EmptyFolder, FailedFolder, LoadingFolder } from './list-states.tsx'
import { NameField } from './name-field.tsx'
import { ListPlace } from './panes.tsx'
import { clear, NOTHING } from './selection.ts'
import type { Room } from './use-room.ts'
import type { RowDrag } from './use-row-drag.ts'

interface FolderListProps {
  room: Room
  drag: RowDrag
  onMenu: (at: { left: number; top: number }, entry: Entry | undefined) => void
}

/** The list of the open folder, or its loading, empty or error state. */
export function FolderList({ room, drag, onMenu }: FolderListProps) {
  const { listing, url, screen, commands } = room
  const { content, error, entries } = listing
  const hasCome = useLocation().key !== 'default'
  useKeysOfNobody(room)
  if (error && !content) {
    return (
      <ListPlace className="bare">
        <FailedFolder error={error} workspaceId={url.workspaceId} onRetry={() => void listing.retry()} />
      </ListPlace>
    )
  }
  if (!content) {
    return (
      <ListPlace>
        <LoadingFolder touch={screen.touch} />
      </ListPlace>
    )
  }
  if (entries.length === 0) {
    return (
      <ListPlace className="bare">
        <EmptyFolder content={content} filter={room.filter} onClearFilter={() => room.setFilter('')} />
      </ListPlace>
    )
  }
  return (
    <ListPlace>
      <Selected room={room} />
      <FileList
        label={room.title}
        entries={entries}
        order={listing.order}
        selection={screen.touch && !room.choosing ? NOTHING : room.selection}
        onSelect={room.select}
        sort={url.sort}
        onSort={(sort) => url.change({ sort })}
        onOpen={commands.open}
        onMenu={onMenu}
        onKey={(event) => runKey(room, event)}
        drag={drag}
        touch={screen.touch}
        choosing={room.choosing}
        autoFocus={hasCome && !screen.touch}
        renaming={renamingIn(room)}
      />
    </ListPlace>
  )
}

function Selected({ room }: { room: Room }) {
  const { chosen, situation, commands, listing, screen } = room
  const shown = screen.touch ? room.choosing : chosen.length > 1
  if (!shown) return null
  return (
    <BulkBar
      chosen={chosen.length}
      listed={listing.entries.length}
      filtered={room.filter.trim() !== ''}
      actions={actionsAt('bulk', situation, chosen)}
      touch={screen.touch}
      onRun={(action: Action) => action.run(commands, chosen)}
      onChooseAll={commands.chooseAll}
      onClear={() => room.select(clear(room.selection))}
    />
  )
}

/** Runs the action of a key on the chosen lines; returns whether the key had a meaning. */
function runKey({ chosen, situation, commands, selection, select }: Room, press: Press): boolean {
  const action = actionFor(press, situation, chosen)
  if (action) action.run(commands, chosen)
  else if (press.key === 'Escape' && chosen.length > 0) select(clear(selection))
  else return false
  return true
}

/** Handles the same keys while no element has the focus, as in an empty folder without a list. */
function useKeysOfNobody(room: Room) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.activeElement !== document.body) return
      if (runKey(room, event)) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [room])
}

function renamingIn({ rename, listing }: Room) {
  const entry = listing.entries.find(({ key }) => key === rename.key)
  if (!entry) return undefined
  const field = (
    <NameField
      entry={entry}
      error={rename.error}
      pending={rename.pending}
      onSave={(name) => rename.save(entry, name)}
      onCancel={() => rename.begin(undefined)}
    />
  )
  return { key: entry.key, field }
}
