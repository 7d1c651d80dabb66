import { i18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { SwitchRow } from '../../ui/switch-row.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { type TeamInfo, teamQuery } from './team-info.ts'

const SWITCHES = [
  { key: 'drm_enabled', label: msg`DRM`, text: msg`Groups of its workspaces can seal what their members download.` },
  {
    key: 'watermarking',
    label: msg`Watermarking`,
    text: msg`Groups of its workspaces can have the reader’s name on every page.`,
  },
  {
    key: 'suppress_emails',
    label: msg`No invitation e-mails`,
    text: msg`Whoever is added to the team or its workspaces gets no mail about it.`,
  },
] as const

/** Only the one that changes is sent. */
type Change = Partial<Pick<TeamInfo, (typeof SWITCHES)[number]['key']>>

/** Each switch takes effect at once, and goes back with the reason when it is refused. */
export function TeamSwitches({ team }: { team: TeamInfo }) {
  const set = useSwitches(team)
  return SWITCHES.map(({ key, label, text }) => (
    <SwitchRow
      key={key}
      label={i18n._(label)}
      text={i18n._(text)}
      checked={team[key]}
      disabled={!team.member}
      onChange={(on) => set({ [key]: on })}
    />
  ))
}

function useSwitches({ id }: TeamInfo) {
  const toasts = useToasts()
  const update = useAction(api.teams.update, {
    optimistic: ({ body: { team } }, foresee) =>
      foresee(teamQuery(id), (before) => ({ ...before, ...(team as Change) })),
  })
  return (team: Change) =>
    update.mutate({ params: { id }, body: { team } }, { onError: (error) => toasts.failed(messageOf(error)) })
}
