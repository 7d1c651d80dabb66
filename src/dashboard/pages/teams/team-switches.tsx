import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Fragment } from 'react'
import { api } from '../../../contract/index.ts'
import { messageOf } from '../../api/failures.ts'
import { useAction } from '../../api/query.ts'
import { PdfDeliveryChoice } from '../../shared/pdf-delivery-choice.tsx'
import { SwitchRow } from '../../ui/fields/switch-row.tsx'
import { useToasts } from '../../ui/toasts/toasts.tsx'
import { type TeamInfo, teamQuery } from './team-info.ts'

interface Switch {
  key: 'drm_enabled' | 'watermarking' | 'page_pictures' | 'suppress_emails'
  label: MessageDescriptor
  text: MessageDescriptor
  /** The setting switches off what the label names. */
  isOff?: boolean
}

const SWITCHES: Switch[] = [
  { key: 'drm_enabled', label: msg`DRM`, text: msg`Groups of its workspaces can seal what their members download.` },
  {
    key: 'watermarking',
    label: msg`Watermarking`,
    text: msg`Groups of its workspaces can have the reader’s mark on every page.`,
  },
  {
    key: 'page_pictures',
    label: msg`Pictures of pages`,
    text: msg`Groups with a watermark can have PDFs delivered as pictures of their pages, with the mark in the pixels.`,
  },
  {
    key: 'suppress_emails',
    label: msg`E-mails to members`,
    text: msg`People of the team and its workspaces can be invited, reminded and told of news and of questions that are due, and admins get their weekly reports, all by e-mail.`,
    isOff: true,
  },
]

/** Only the changed setting is sent. */
type Change = Partial<Pick<TeamInfo, Switch['key'] | 'pdf_delivery'>>

/** Each switch takes effect at once, and goes back with the reason if it is refused. */
export function TeamSwitches({ team }: { team: TeamInfo }) {
  const set = useSwitches(team)
  return SWITCHES.map(({ key, label, text, isOff = false }) => (
    <Fragment key={key}>
      <SwitchRow
        label={i18n._(label)}
        text={i18n._(text)}
        checked={team[key] !== isOff}
        disabled={!team.member}
        onChange={(on) => set({ [key]: on !== isOff })}
      />
      {key === 'page_pictures' && team.page_pictures && team.member && (
        <PdfDeliveryChoice
          label={t`New groups download PDFs as`}
          value={team.pdf_delivery}
          onChange={(pdf_delivery) => set({ pdf_delivery })}
        />
      )}
    </Fragment>
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
