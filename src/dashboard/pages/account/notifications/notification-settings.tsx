import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import type { Reply } from '../../../../contract/endpoint.ts'
import { FREQUENCIES, type Frequency } from '../../../../contract/endpoints/deal/notifications.ts'
import { api } from '../../../../contract/index.ts'
import { messageOf } from '../../../api/failures.ts'
import { useAction, useRead } from '../../../api/query.ts'
import { notificationsQuery } from '../../../shared/weekly-report.ts'
import { Choice } from '../../../ui/fields/choice.tsx'
import { Part } from '../../../ui/part.tsx'
import { useToasts } from '../../../ui/toasts/toasts.tsx'
import { LANGUAGES } from '../../../ui/words/language.ts'
import { WeeklyReports } from './weekly-reports.tsx'

type Settings = Reply<typeof api.notifications.get>
type Room = Settings['workspaces'][number]

const WORDS = {
  at_once: msg`At once`,
  daily: msg`Daily`,
  weekly: msg`Weekly`,
  off: msg`Never`,
}
const SHOWN = 8

/** How often mails of news come, for all workspaces and for each, and which weekly reports. */
export function NotificationSettings() {
  const settings = useRead(notificationsQuery())
  return (
    <>
      <News settings={settings} />
      <WeeklyReports workspaces={settings.workspaces} />
    </>
  )
}

function News({ settings }: { settings: Settings }) {
  const save = useSave()
  return (
    <Part title={t`Mails of news`}>
      {settings.mail_refused && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          <Trans>Your mail server refused the last mail to you. We try again after a week.</Trans>
        </Alert>
      )}
      <Typography color="textSecondary" sx={{ mb: 2 }}>
        <Trans>
          They tell of documents that others have added or changed and that you may view, of answers that are new to
          you, and of changes of your access; admins also of questions that await them. Daily ones come at eight in the
          morning, weekly ones on Mondays. Where you choose Never, admins get no reminders of questions that are due
          either.
        </Trans>
      </Typography>
      <Pair>
        <Choice
          label={t`How often`}
          value={settings.frequency}
          options={FREQUENCIES.map((each) => [each, i18n._(WORDS[each])])}
          onChange={(value) => save({ frequency: frequencyOf(value) ?? settings.frequency })}
        />
        <Choice
          label={t`Language of the mails`}
          value={settings.language}
          options={LANGUAGES.map(({ language, name }) => [language, name])}
          onChange={(value) => save({ language: value === 'de' ? 'de' : 'en' })}
        />
      </Pair>
      <Rooms settings={settings} />
    </Part>
  )
}

function Rooms({ settings }: { settings: Settings }) {
  const [all, setAll] = useState(false)
  const { workspaces } = settings
  if (workspaces.length === 0) return null
  const shown = all ? workspaces : workspaces.slice(0, SHOWN)
  return (
    <>
      <Typography variant="h3" sx={{ mt: 2.5, mb: 0.5, fontSize: 14 }}>
        <Trans>For single workspaces</Trans>
      </Typography>
      <List>
        {shown.map((room) => (
          <RoomRow key={room.workspace_id} room={room} usual={settings.frequency} />
        ))}
      </List>
      {shown.length < workspaces.length && (
        <Button onClick={() => setAll(true)}>
          <Trans>Show all</Trans>
        </Button>
      )}
    </>
  )
}

function RoomRow({ room, usual }: { room: Room; usual: Frequency }) {
  const toasts = useToasts()
  const set = useAction(api.notifications.setForWorkspace)
  const { workspace_id: id, workspace_name: name } = room
  const choose = (frequency: Frequency | null) =>
    set.mutate({ params: { id }, body: { frequency } }, { onError: (error) => toasts.failed(messageOf(error)) })
  const usually = i18n._(WORDS[usual])
  return (
    <Row>
      <Typography noWrap title={name}>
        {name}
      </Typography>
      {room.suppressed ? (
        <Typography color="textSecondary" variant="body2">
          <Trans>The team sends no mails</Trans>
        </Typography>
      ) : (
        <Choice
          label={t`How often: ${name}`}
          none={t`As for all: ${usually}`}
          value={room.frequency ?? ''}
          options={FREQUENCIES.map((each) => [each, i18n._(WORDS[each])])}
          onChange={(value) => choose(frequencyOf(value))}
        />
      )}
    </Row>
  )
}

const frequencyOf = (value: string): Frequency | null => FREQUENCIES.find((each) => each === value) ?? null

function useSave() {
  const toasts = useToasts()
  const update = useAction(api.notifications.update, {
    optimistic: ({ body: { notifications } }, foresee) =>
      foresee(notificationsQuery(), ({ frequency, language, ...rest }) => ({
        frequency: notifications.frequency ?? frequency,
        language: notifications.language ?? language,
        ...rest,
      })),
  })
  return (notifications: Partial<Pick<Settings, 'frequency' | 'language'>>) =>
    update.mutate({ body: { notifications } }, { onError: (error) => toasts.failed(messageOf(error)) })
}

const Pair = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: 16,
  gridTemplateColumns: '1fr 1fr',
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: '1fr' },
}))

const List = styled('ul')({ margin: 0, padding: 0, listStyle: 'none' })

const Row = styled('li')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) 190px',
  alignItems: 'center',
  gap: 12,
  minHeight: 56,
  '& .MuiInputLabel-root': { clip: 'rect(0 0 0 0)', position: 'absolute', overflow: 'hidden', width: 1, height: 1 },
  '& legend': { display: 'none' },
  '& fieldset': { top: 0 },
})
