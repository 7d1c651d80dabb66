import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useColorScheme } from '@mui/material/styles'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import {
  ArchiveRestore,
  Building2,
  Server,
  CircleUser,
  FileText,
  FileX2,
  Folder,
  History,
  Keyboard,
  LayoutGrid,
  Monitor,
  Moon,
  Search,
  Sun,
  Users,
  Vault,
  type LucideIcon,
} from 'lucide-react'
import { useMemo } from 'react'
import type { Reply } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { folderEntry, pathAbove } from '../listing/entries.ts'
import { withoutNumber } from '../../../contract/outline/outline.ts'
import { read, useReading } from '../../api/query.ts'
import { paths } from '../../paths.ts'
import { useOffered } from '../actions/offers.ts'
import type { Shortcut } from '../actions/shortcut.ts'
import { sections } from '../frame/sections.ts'
import { useMe } from '../session.ts'
import { useWorkspaceIfAny } from '../workspace.ts'
import { bestFits, fit, GOOD } from './fuzzy.ts'
import { showPalette } from './palette-state.ts'
import { recentOf } from './recent.ts'
import { useFound, type Found } from './use-found.ts'

/** A line of the palette. */
export interface Choice {
  id: string
  group: string
  label: string
  /** The location: the path of a folder or the team of a workspace. */
  hint?: string | undefined
  icon: LucideIcon
  shortcut?: Shortcut | undefined
  /** The address to open; without one, `run` is called. */
  to?: string
  /** The address under recent choices, if it is another one. */
  lastingTo?: string
  run?: () => void
}

const MOST_RECENT = 5
/** Limits that keep the list short once something is typed: for known lines, and for each kind of search result. */
const MOST_FITS = 12
const MOST_FOUND = 8

interface Choices {
  /** The lines of a group are adjacent. */
  choices: Choice[]
  /** No more lines will arrive. */
  settled: boolean
  /** Why the search in the workspace gave no lines. */
  failure?: string | undefined
}

/** Returns the lines that fit the typed text, by group, best first; without text, recent choices and then all lines. */
export function useChoices(typed: string): Choices {
  const me = useMe()
  const workspace = useWorkspaceIfAny()
  const ways = useWays()
  const all = [...useOfferedChoices(), ...ways.choices, ...useFolders(), ...useThemes()]
  const text = typed.trim()
  const { found, settled, failure } = useFound(workspace?.id, text)
  if (text === '') return { choices: [...recentChoices(all, me.id), ...all], settled: true }
  const textOf = ({ label, group, hint }: Choice) => `${label} ${hint ?? group}`
  const fits = bestFits(byRecency(all, me.id), text, textOf).slice(0, MOST_FITS)
  const good = fits.filter((choice) => (fit(textOf(choice), text) ?? 0) >= GOOD)
  const more = workspace ? foundChoices(workspace.id, found, text) : []
  // Until the reply has arrived, show those of the previous results that fit.
  const also = settled ? more : more.filter(({ label }) => fit(label, text) !== undefined)
  const choices = byGroup([...good, ...also])
  // Lines that match only scattered letters are shown if there are no others.
  if (choices.length === 0 && settled) return { choices: byGroup(fits), settled: ways.settled, failure }
  if (also.some(({ id }) => id.startsWith('file-')) && workspace) choices.push(allResults(workspace.id, text))
  return { choices, settled: settled && ways.settled, failure }
}

function foundChoices(workspaceId: number, { folders, files }: Found, text: string): Choice[] {
  return [
    ...folders.slice(0, MOST_FOUND).map((folder) => folderChoice(workspaceId, folder, pathAbove(folder.numbered_path))),
    ...files.slice(0, MOST_FOUND).map(({ id, title, outline, number_length, numbered_folder_path }): Choice => {
      const [to, lastingTo] = [paths.view(workspaceId, id, { find: text }), paths.view(workspaceId, id)]
      const hint = `${outline} · ${numbered_folder_path}`
      const label = withoutNumber(title, outline, number_length)
      return { id: `file-${id}`, group: t`Files`, label, hint, icon: FileText, to, lastingTo }
    }),
  ]
}

function allResults(workspaceId: number, text: string): Choice {
  const to = paths.search(workspaceId, text)
  return { id: `search-${text}`, group: t`Files`, label: t`All results for “${text}”`, icon: Search, to }
}

/** Removes duplicates and gathers the lines of each group, in the order of the groups' first lines. */
function byGroup(choices: readonly Choice[]): Choice[] {
  const all = choices.filter(({ id }, at) => choices.findIndex((other) => other.id === id) === at)
  const groups = [...new Set(all.map(({ group }) => group))]
  return groups.flatMap((group) => all.filter((each) => each.group === group))
}

function recentChoices(all: readonly Choice[], userId: number): Choice[] {
  const recent = recentOf(userId).flatMap(({ id, label, hint, to }): Choice[] => {
    const known = all.find((each) => each.id === id)
    if (known) return [{ ...known, hint: known.hint ?? known.group }]
    return to === undefined ? [] : [{ id, group: '', label, hint, icon: History, to }]
  })
  return recent.slice(0, MOST_RECENT).map((choice) => ({ ...choice, id: `recent-${choice.id}`, group: t`Recent` }))
}

function byRecency(all: readonly Choice[], userId: number): Choice[] {
  const places = new Map(recentOf(userId).map(({ id }, place) => [id, place]))
  const placeOf = ({ id }: Choice) => places.get(id) ?? Number.MAX_SAFE_INTEGER
  return all.toSorted((a, b) => placeOf(a) - placeOf(b))
}

function useOfferedChoices(): Choice[] {
  return useOffered().flatMap(({ title, offers }) => offers.map((offer): Choice => ({ ...offer, group: title })))
}

function useWays(): Choices {
  const me = useMe()
  const workspace = useWorkspaceIfAny()
  const { data: rooms, isPending: noRooms } = useReading(read(api.users.workspaces))
  const { data: teams, isPending: noTeams } = useReading(read(api.teams.list))
  const way = (label: string, icon: LucideIcon, to: string, hint?: string): Choice => {
    return { id: `to-${to}`, group: t`Go to`, label, icon, to, hint }
  }
  const inside = workspace
    ? sections.filter(({ adminsOnly, ifQuestions }) => workspace.admin || !(adminsOnly || ifQuestions))
    : []
  const choices: Choice[] = [
    ...inside.map(({ label, icon, to }) => way(i18n._(label), icon, to(workspace?.id ?? 0))),
    ...(workspace?.admin ? [way(t`Recently deleted`, ArchiveRestore, paths.trash(workspace.id))] : []),
    ...(workspace?.admin ? [way(t`Documents that cannot be shown`, FileX2, paths.documents(workspace.id))] : []),
    way(t`Spaces`, LayoutGrid, paths.home()),
    ...(rooms?.workspaces ?? [])
      .filter(({ id }) => id !== workspace?.id)
      .map(({ id, name, team_name }) => way(name, Vault, paths.workspace(id), team_name)),
    ...(teams ?? []).map(({ id, name }) => way(name, Users, paths.team(id), t`Team`)),
    way(t`Account`, CircleUser, paths.account()),
    ...(me.organization_admin ? [way(t`Organization`, Building2, paths.organization())] : []),
    ...(me.installation_admin ? [way(t`System`, Server, paths.system())] : []),
    {
      id: 'shortcuts',
      group: t`Go to`,
      label: t`Keyboard shortcuts`,
      icon: Keyboard,
      shortcut: { key: '?' },
      run: () => showPalette('shortcuts'),
    },
  ]
  return { choices, settled: !noRooms && !noTeams }
}

type Content = Reply<typeof api.folders.get>

/** Returns the top folders and all folders seen since the page was loaded. */
function useFolders(): Choice[] {
  const client = useQueryClient()
  const workspace = useWorkspaceIfAny()
  const { data: top } = useReading({
    ...read(api.workspaces.home, { params: { id: workspace?.id ?? -1 } }),
    enabled: workspace !== undefined,
  })
  return useMemo(() => {
    if (!workspace) return []
    const seen = [...(top ? [top] : []), ...contentsIn(client, workspace.id)]
    const folders = new Map(
      seen.flatMap(({ immediate_subfolders, numbered_path }) =>
        immediate_subfolders.map((each) => [each.id, folderChoice(workspace.id, each, numbered_path)]),
      ),
    )
    return [...folders.values()]
  }, [client, workspace, top])
}

function folderChoice(workspaceId: number, folder: Content['folder'], above: string): Choice {
  const { id, outline, label } = folderEntry(folder)
  const to = paths.files(workspaceId, id)
  return {
    id: `folder-${id}`,
    group: t`Folders`,
    label,
    hint: outline === '' ? above : `${outline} · ${above}`,
    icon: Folder,
    to,
  }
}

function contentsIn(client: QueryClient, workspaceId: number): Content[] {
  const [key] = read(api.folders.get, { params: { id: 0 }, query: { workspace_id: workspaceId } }).queryKey
  const known = client.getQueriesData<Content>({ queryKey: [key] }).flatMap(([, content]) => content ?? [])
  return known.filter(({ folder }) => folder.owner_id === workspaceId)
}

function useThemes(): Choice[] {
  const { setMode } = useColorScheme()
  const theme = (mode: 'light' | 'dark' | 'system', label: string, icon: LucideIcon): Choice => {
    return { id: `theme-${mode}`, group: t`Colours`, label, icon, run: () => setMode(mode) }
  }
  return [theme('light', t`Light`, Sun), theme('dark', t`Dark`, Moon), theme('system', t`As the system`, Monitor)]
}
