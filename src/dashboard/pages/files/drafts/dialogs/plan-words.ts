import { plural, t } from '@lingui/core/macro'
import type { Reply } from '../../../../../contract/endpoint.ts'
import type { api } from '../../../../../contract/index.ts'
import { openingWords } from './opening-time.ts'

export type Plan = NonNullable<Reply<typeof api.drafts.getSchedule>['schedule']>

/** What is planned, by whom, or why nothing came of it. */
export function planWords({ folder_ids, opens_at, planned_by, problem }: Plan): string {
  const when = openingWords(opens_at)
  const who = planned_by.name || t`an erased user`
  if (problem !== null) return t`Not published as planned on ${when}: ${problemWords(problem, who)}`
  return plural(folder_ids.length, {
    one: `# draft opens on ${when}, as ${who} has planned.`,
    other: `# drafts open on ${when}, as ${who} has planned.`,
  })
}

function problemWords(problem: NonNullable<Plan['problem']>, who: string): string {
  switch (problem) {
    case 'planner_no_admin':
      return t`${who}, who planned it, was not an admin of this workspace any more.`
    case 'key_ended':
      return t`the personal API key of ${who}, with which it was planned, gives no access here any more.`
    case 'no_draft_left':
      return t`none of the folders was a draft any more.`
    case 'failed':
      return t`something went wrong on our side, several times. Publish them now, or plan it again.`
  }
}
