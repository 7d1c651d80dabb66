import { plural, t } from '@lingui/core/macro'
import { paths } from '../../paths.ts'
import { calendarDate } from '../../ui/words/format.ts'
import { daysUntil, isWithin } from './latest.ts'
import type { Expiration, WorkspaceNews } from './news.ts'
import type { EnterableWorkspace } from './spaces.ts'

type Some = NonNullable<WorkspaceNews['to_do']>['failed_files']

/** One thing that an admin should look at. */
export interface Task {
  key: string
  kind: 'failed_files' | 'access_ends' | 'changed_names' | 'awaited_members'
  title: string
  /** Names what it is about, and the workspace. */
  where: string
  to: string
}

const SOON_DAYS = 7

interface Known {
  workspaces: readonly EnterableWorkspace[]
  news: readonly WorkspaceNews[]
  expirations: readonly Expiration[]
}

/** Returns the tasks of the workspaces that the user administers, most urgent first. */
export function tasksOf({ workspaces, news, expirations }: Known, now = Date.now()): Task[] {
  const administered = new Map(workspaces.filter(({ admin }) => admin).map(({ id, name }) => [id, name]))
  const inEach = news.flatMap(({ workspace_id: id, to_do }) => {
    const name = administered.get(id)
    return to_do && name !== undefined ? [{ id, name, ...to_do }] : []
  })
  const ending = expirations.filter((each) => isTask(each, workspaces, now))
  return [
    ...inEach.filter(({ failed_files }) => failed_files.count > 0).map(failedFiles),
    ...ending.map((each) => accessEnds(each, now)),
    ...inEach.filter(({ changed_names }) => changed_names.count > 0).map(changedNames),
    ...inEach.filter(({ awaited_members }) => awaited_members.count > 0).map(awaitedMembers),
  ]
}

/** Whether access ends so soon, in a workspace that the user administers, that it is a task. */
export function isTask(
  { kind, workspace_id, date }: Expiration,
  workspaces: readonly EnterableWorkspace[],
  now = Date.now(),
): boolean {
  const administered = workspaces.some(({ id, admin }) => admin && id === workspace_id)
  return kind === 'access' && administered && isWithin(date, SOON_DAYS, now)
}

function failedFiles({ id, name, failed_files }: { id: number; name: string; failed_files: Some }): Task {
  return {
    key: `failed_files ${id}`,
    kind: 'failed_files',
    title: plural(failed_files.count, { one: '# document cannot be shown', other: '# documents cannot be shown' }),
    where: `${namesOf(failed_files)} · ${name}`,
    to: paths.documents(id),
  }
}

function changedNames({ id, name, changed_names }: { id: number; name: string; changed_names: Some }): Task {
  return {
    key: `changed_names ${id}`,
    kind: 'changed_names',
    title: plural(changed_names.count, {
      one: 'Watermarks do not show the new name of # person yet',
      other: 'Watermarks do not show the new names of # people yet',
    }),
    where: `${namesOf(changed_names)} · ${name}`,
    to: paths.people(id),
  }
}

function awaitedMembers({ id, name, awaited_members }: { id: number; name: string; awaited_members: Some }): Task {
  return {
    key: `awaited_members ${id}`,
    kind: 'awaited_members',
    title: plural(awaited_members.count, {
      one: '# person was invited and has not come in',
      other: '# people were invited and have not come in',
    }),
    where: `${namesOf(awaited_members)} · ${name}`,
    to: paths.people(id),
  }
}

function accessEnds({ workspace_id, workspace_name, group_id, group_name, date }: Expiration, now: number): Task {
  const day = calendarDate(date)
  return {
    key: `access_ends ${group_id}`,
    kind: 'access_ends',
    title: t`Access of ${group_name} ends on ${day}`,
    where: `${daysUntil(date, now)} · ${workspace_name}`,
    to: paths.group(workspace_id, group_id),
  }
}

function namesOf({ count, names }: Some): string {
  const named = names.join(', ')
  const more = count - names.length
  return more > 0 ? plural(more, { one: `${named} and # more`, other: `${named} and # more` }) : named
}
