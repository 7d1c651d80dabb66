import { plural, t } from '@lingui/core/macro'
import { paths } from '../../paths.ts'
import { calendarDate } from '../../ui/words/format.ts'
import { daysUntil, isWithin } from './latest.ts'
import type { Expiration, WorkspaceNews } from './news.ts'
import type { EnterableWorkspace } from './spaces.ts'

type ToDo = NonNullable<WorkspaceNews['to_do']>
type Some = ToDo['failed_files']
type Counted = keyof ToDo

/** One thing that an admin should look at. */
export interface Task {
  key: string
  kind: Counted | 'access_ends'
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
  userId: number
}

/** Returns the tasks of the workspaces that the user administers, most urgent first. */
export function tasksOf({ workspaces, news, expirations, userId }: Known, now = Date.now()): Task[] {
  const administered = new Map(workspaces.filter(({ admin }) => admin).map(({ id, name }) => [id, name]))
  const some = (...kinds: Counted[]) =>
    kinds.flatMap((kind) =>
      news.flatMap(({ workspace_id: id, to_do }) => {
        const name = administered.get(id)
        const { count = 0, names = [] } = to_do?.[kind] ?? {}
        if (name === undefined || count === 0) return []
        const { title, to } = COUNTED[kind]
        const where = `${namesOf({ count, names })} · ${name}`
        return { key: `${kind} ${id}`, kind, title: title(count), where, to: to(id, userId) }
      }),
    )
  const ending = expirations.filter((each) => isTask(each, workspaces, now))
  return [
    ...some('failed_drafts', 'overdue_questions', 'failed_files'),
    ...ending.map((each) => accessEnds(each, now)),
    ...some('to_approve', 'to_answer', 'changed_names', 'awaited_members', 'awaited_groups', 'unplanned_drafts'),
  ]
}

const COUNTED: Record<Counted, { title: (count: number) => string; to: (id: number, userId: number) => string }> = {
  failed_drafts: {
    title: (count) =>
      plural(count, { one: '# draft was not published as planned', other: '# drafts were not published as planned' }),
    to: (id) => paths.files(id),
  },
  overdue_questions: {
    title: (count) =>
      plural(count, { one: '# question of yours is overdue', other: '# questions of yours are overdue' }),
    to: (id, awaits) => paths.questions(id, { awaits }),
  },
  failed_files: {
    title: (count) => plural(count, { one: '# document cannot be shown', other: '# documents cannot be shown' }),
    to: (id) => paths.documents(id),
  },
  to_approve: {
    title: (count) => plural(count, { one: '# answer awaits your approval', other: '# answers await your approval' }),
    to: (id, awaits) => paths.questions(id, { awaits, status: 'to_approve' }),
  },
  to_answer: {
    title: (count) => plural(count, { one: '# question awaits your answer', other: '# questions await your answer' }),
    to: (id, awaits) => paths.questions(id, { awaits }),
  },
  changed_names: {
    title: (count) =>
      plural(count, {
        one: 'Watermarks do not show the new name of # person yet',
        other: 'Watermarks do not show the new names of # people yet',
      }),
    to: paths.people,
  },
  awaited_members: {
    title: (count) =>
      plural(count, {
        one: '# person was invited and has not come in',
        other: '# people were invited and have not come in',
      }),
    to: paths.people,
  },
  unplanned_drafts: {
    title: (count) => plural(count, { one: '# draft is not published', other: '# drafts are not published' }),
    to: (id) => paths.files(id),
  },
  awaited_groups: {
    title: (count) =>
      plural(count, {
        one: '# draft group with people is not published',
        other: '# draft groups with people are not published',
      }),
    to: paths.groups,
  },
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
