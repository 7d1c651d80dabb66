import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { FEED_ACTS, isFeedAct, ROOT_FOLDER } from '../../../contract/acts.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import type { api } from '../../../contract/index.ts'
import { say } from '../../api/say.ts'
import { dayOf, timeOfDay } from '../../ui/words/format.ts'

type Activity = Reply<typeof api.activities.list>['events'][number]

/** Calendar dates of the API are in UTC. */
const DATE = { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' } as const

/** Says an activity; an act that this dashboard does not know yet keeps the service's English. */
export function activityInWords({ act, params, message }: Pick<Activity, 'act' | 'params' | 'message'>): string {
  if (!isFeedAct(act)) return message
  const values = Object.entries(params).map(([name, value]) => [name, valueInWords(name, value)])
  return say(FEED_ACTS[act].shown, { user: t`an erased user`, ...Object.fromEntries(values) })
}

function valueInWords(name: string, value: string): string {
  switch (name) {
    case 'date':
      return i18n.date(value, DATE)
    case 'time':
      return timeInWords(value)
    case 'folder':
    case 'source':
    case 'target':
      return value === ROOT_FOLDER ? t`All Folders` : value
    default:
      return value
  }
}

/** Acts name a time as "2027-01-31 09:00 UTC"; it is shown in the time zone of the user. */
function timeInWords(value: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC$/.exec(value) ?? []
  const at = `${day}T${time}:00Z`
  return Number.isNaN(Date.parse(at)) ? value : `${dayOf(at)}, ${timeOfDay(at)}`
}
