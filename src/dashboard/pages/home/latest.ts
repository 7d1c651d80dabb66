import type { Reply } from '../../../contract/endpoint.ts'
import type { api } from '../../../contract/index.ts'
import { formatLocale } from '../../ui/words/language.ts'
import type { EnterableWorkspace } from './spaces.ts'

type Activity = Reply<typeof api.activities.list>['events'][number]

const WORKSPACES = 3
const ENTRIES = 8

/**
 * Returns the workspaces with the latest activities, without those whose terms await. They are few, because each costs a
 * request.
 */
export function liveliest(workspaces: readonly EnterableWorkspace[]): EnterableWorkspace[] {
  return workspaces
    .filter(({ last_activity_at, terms_await }) => last_activity_at !== null && !terms_await)
    .toSorted((one, other) => String(other.last_activity_at).localeCompare(String(one.last_activity_at)))
    .slice(0, WORKSPACES)
}

/** Returns the newest activities first, without visits. Repeats, such as a hundred files added at once, become one. */
export function latestOf(activities: readonly Activity[]): Activity[] {
  const seen = new Set<string>()
  return activities
    .filter(({ verb, subject_type }) => !(verb === 'viewed' && subject_type === 'Workspace'))
    .toSorted(latestFirst)
    .filter(({ user_id, workspace_id, verb, subject_type }) => {
      const kind = [user_id, workspace_id, verb, subject_type].join(' ')
      return !seen.has(kind) && seen.add(kind)
    })
    .slice(0, ENTRIES)
}

/** Returns the activities, the latest first. */
export const latest = (activities: readonly Activity[]): Activity[] => activities.toSorted(latestFirst)

const latestFirst = (one: Activity, other: Activity) =>
  other.created_at.localeCompare(one.created_at) || other.id - one.id

export interface Viewed {
  file_id: number
  title: string
  workspace_id: number
  at: string
}

const VIEWED = 5

/** Returns the files of views, each once, the latest first. */
export function viewedOf(views: readonly Activity[]): Viewed[] {
  const seen = new Set<string>()
  return views
    .toSorted((one, other) => other.created_at.localeCompare(one.created_at) || other.id - one.id)
    .flatMap(({ subject_id, workspace_id, params, created_at }) => {
      const { title } = params
      const key = `${workspace_id} ${subject_id}`
      if (subject_id === null || title === undefined || seen.has(key)) return []
      seen.add(key)
      return [{ file_id: subject_id, title, workspace_id, at: created_at }]
    })
    .slice(0, VIEWED)
}

const DAY = 86_400_000

const daysTo = (date: string, now: number) => Date.parse(date) / DAY - Math.floor(now / DAY)

/** Whether a calendar date in UTC is at most some days ahead. */
export const isWithin = (date: string, days: number, now: number): boolean => daysTo(date, now) <= days

/** Returns "in 5 days" or "today" for a calendar date in UTC. */
export function daysUntil(date: string, now = Date.now()): string {
  const days = daysTo(date, now)
  return new Intl.RelativeTimeFormat(formatLocale(), { numeric: 'auto' }).format(days, 'day')
}
