import { msg } from '@lingui/core/macro'
import { FilePen, FolderPen, Send } from 'lucide-react'
import { allowedAt } from '../../../shared/actions/action.ts'
import { isFolder, type Entry } from '../../../shared/listing/entries.ts'
import { ROOT } from '../../../shared/listing/folder-query.ts'
import { actionsAt, type Action } from '../actions.ts'

type Situation = Parameters<Action['may']>[0]
type Place = Action['places'][number]

const isChanging = ({ admin, readOnly }: Situation) => admin && !readOnly

/** Loaded with the menus, because most visits change nothing. */
const draftActions: readonly Action[] = [
  {
    id: 'createDraft',
    label: msg`New draft folder`,
    icon: FolderPen,
    places: ['background'],
    divided: true,
    may: isChanging,
    run: (commands) => commands.ask('createDraft', []),
  },
  {
    id: 'makeDraft',
    label: msg`Make draft…`,
    icon: FilePen,
    places: ['lines', 'branch'],
    divided: true,
    may: (situation, entries) =>
      isChanging(situation) &&
      entries.length === 1 &&
      entries.every((entry) => isFolder(entry) && !entry.source.draft && entry.id !== ROOT),
    run: (commands, entries) => commands.ask('makeDraft', entries),
  },
  {
    id: 'publish',
    label: msg`Publish…`,
    icon: Send,
    places: ['lines', 'branch'],
    divided: true,
    may: (situation, entries) => isChanging(situation) && entries.length > 0 && entries.every(isDraft),
    run: (commands, entries) => commands.ask('publish', entries),
  },
  {
    id: 'publishAll',
    label: msg`Publish drafts…`,
    icon: Send,
    places: ['background'],
    may: isChanging,
    run: (commands) => commands.ask('publish', []),
  },
]

const isDraft = (entry: Entry) => isFolder(entry) && entry.source.draft

/** The actions of the page and those on drafts. */
export const allActionsAt = (place: Place, situation: Situation, entries: readonly Entry[]): Action[] => [
  ...actionsAt(place, situation, entries),
  ...allowedAt(draftActions, place, situation, entries),
]
