import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { styled } from '@mui/material/styles'
import { CalendarClock, FolderLock, Scale, UsersRound } from 'lucide-react'
import { PersonAvatar } from '../../../shared/person-avatar.tsx'
import { calendarDate } from '../../../ui/words/format.ts'
import { Time } from '../../../ui/words/time.tsx'
import type { Invitation } from './open-invitation.ts'

/** What the invitation is about: the room, the words of the inviter, and for how long. */
export function RoomPanel({ invitation }: { invitation: Invitation }) {
  const { workspace_name, description, expectation, groups, access_ends_at, look, logos } = invitation
  const names = groups.join(', ')
  const end = access_ends_at && calendarDate(access_ends_at)
  return (
    <Panel aria-label={t`Your invitation`}>
      {look && (
        <Brand>
          <PanelLogo src={logos} />
          {look.display_name}
        </Brand>
      )}
      <Name>
        <FolderLock size={22} aria-hidden />
        <span>
          <small>{t`Data room`}</small>
          <b>{workspace_name}</b>
        </span>
      </Name>
      {description !== '' && <Words>{description}</Words>}
      <InviterWords invitation={invitation} />
      {expectation !== '' && (
        <Words>
          <small>{t`What is expected of you`}</small>
          {expectation}
        </Words>
      )}
      <Facts>
        {groups.length > 0 && (
          <li>
            <UsersRound size={16} aria-hidden />
            <Trans>You come in with {names}</Trans>
          </li>
        )}
        {end !== null && (
          <li>
            <CalendarClock size={16} aria-hidden />
            <Trans>Access ends on {end}, 00:00 UTC</Trans>
          </li>
        )}
        {invitation.terms_await && (
          <li>
            <Scale size={16} aria-hidden />
            {t`Terms await your answer`}
          </li>
        )}
      </Facts>
    </Panel>
  )
}

/** The panel is dark in both schemes. */
function PanelLogo({ src: { light, dark } }: { src: Invitation['logos'] }) {
  const image = dark ?? light
  return image && <img className={dark ? '' : 'on-white'} src={`data:image/png;base64,${image}`} alt="" />
}

const Brand = styled('p')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 12,
  margin: 0,
  fontWeight: 600,
  img: { maxWidth: 180, maxHeight: 48 },
  '.on-white': { padding: 6, borderRadius: 6, background: '#fff' },
})

function InviterWords({ invitation: { inviter, message, invited_at } }: { invitation: Invitation }) {
  return (
    <Quote>
      {message !== '' && <blockquote>“{message}”</blockquote>}
      <div>
        <PersonAvatar
          person={{ first_name: inviter, last_name: inviter.split(' ').slice(1).at(-1) ?? '', email: inviter }}
          size={32}
        />
        <span>
          <b>{inviter}</b>
          <small>
            <Trans>
              invited you <Time relative at={invited_at} />
            </Trans>
          </small>
        </span>
      </div>
    </Quote>
  )
}

const Panel = styled('section')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  gap: 16,
  height: '100%',
  small: { display: 'block', fontSize: '0.75rem', opacity: 0.85 },
  [theme.breakpoints.down('md')]: { gap: 12 },
}))

const Name = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  '& > svg': {
    flex: 'none',
    boxSizing: 'content-box',
    padding: 11,
    borderRadius: 8,
    background: '#fff',
    color: theme.vars.palette.rail.main,
  },
  b: { fontSize: 18, fontWeight: 650, lineHeight: 1.3 },
}))

const Words = styled('p')({ margin: 0, whiteSpace: 'pre-line' })

const Quote = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: 12,
  padding: 16,
  borderRadius: 8,
  background: theme.vars.palette.rail.active,
  blockquote: { margin: 0, fontSize: 14, lineHeight: 1.6, whiteSpace: 'pre-line' },
  '& > div': { display: 'flex', alignItems: 'center', gap: 10 },
}))

const Facts = styled('ul')({
  listStyle: 'none',
  margin: 'auto 0 0',
  padding: 0,
  display: 'grid',
  gap: 10,
  li: { display: 'flex', alignItems: 'center', gap: 12 },
  svg: { flex: 'none' },
})
