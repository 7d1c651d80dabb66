import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { BookOpen, FolderLock, FolderTree, Mail, MessageCircleQuestion, Pencil, Phone } from 'lucide-react'
import { paths } from '../../paths.ts'
import { type Look, RoomLogo } from '../../shared/branding/logo.tsx'
import { nameOf } from '../../shared/people.ts'
import { PersonAvatar } from '../../shared/person-avatar.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Sheet } from '../../ui/dialogs/sheet.tsx'
import type { Welcome } from './welcome-page.tsx'

interface GreetingProps {
  workspace: { id: number; name: string; admin: boolean; look: Look | null }
  welcome: Welcome
  /** First name of the reader, or "". */
  name: string
  /** Address of the files that the reader sees. */
  files: string
  /** Documents that the reader has not viewed yet, newest first. */
  unread?: readonly { file_id: number }[]
  mayAsk?: boolean
}

export function Greeting({ workspace, welcome, name: first_name, files, unread = [], mayAsk }: GreetingProps) {
  const { id, name, admin, look } = workspace
  const { contact, contact_note, contacts, text, expectation } = welcome
  return (
    <Sheet aria-label={t({ message: 'Welcome', context: 'greeting' })} sx={{ m: 0, p: { xs: 2, sm: 3 } }}>
      <Head>
        <Tile aria-hidden>
          <FolderLock size={24} />
        </Tile>
        <div>
          {look && <Brand workspaceId={id} look={look} />}
          <Typography variant="caption" color="textSecondary" component="p">
            {first_name === '' ? t`Welcome to` : t`Welcome, ${first_name}, to`}
          </Typography>
          <Typography variant="h1">{name}</Typography>
          <About welcome={welcome} />
          {text !== '' && <Words>{text}</Words>}
          {expectation !== '' && (
            <Words>
              <b>{t`What is expected of you`}</b>
              {`\n${expectation}`}
            </Words>
          )}
          <Buttons>
            {unread[0] && (
              <ButtonLink to={paths.view(id, unread[0].file_id)} variant="contained" startIcon={<BookOpen size={16} />}>
                {unread.length === 1 ? t`Read the new document` : t`Read the newest document`}
              </ButtonLink>
            )}
            <ButtonLink to={files} variant={unread[0] ? 'outlined' : 'contained'} startIcon={<FolderTree size={16} />}>
              <Trans>Open files</Trans>
            </ButtonLink>
            {mayAsk && (
              <ButtonLink to={paths.questions(id, { ask: '' })} startIcon={<MessageCircleQuestion size={16} />}>
                <Trans>Ask a question</Trans>
              </ButtonLink>
            )}
            {admin && (
              <ButtonLink to={paths.settings(id)} variant="outlined" startIcon={<Pencil size={16} />}>
                <Trans>Edit this page</Trans>
              </ButtonLink>
            )}
          </Buttons>
        </div>
        {(contact || contacts.length > 0) && (
          <Contacts>
            {contact && <Contact contact={contact} note={contact_note} />}
            {contacts.map((person, at) => (
              <TypedContact key={at} person={person} />
            ))}
          </Contacts>
        )}
      </Head>
    </Sheet>
  )
}

function About({ welcome: { description, groups } }: { welcome: Welcome }) {
  const names = groups.join(', ')
  const here = groups.length > 0 ? t`you are here with ${names}` : ''
  const parts = [description, here].filter((part) => part !== '')
  return (
    <Typography color="textSecondary" sx={{ mt: 0.25, whiteSpace: 'pre-line' }}>
      {parts.join(' · ')}
    </Typography>
  )
}

function Contact({ contact, note }: { contact: NonNullable<Welcome['contact']>; note: string }) {
  return (
    <Person aria-label={t`Your contact`}>
      <small>{t`Your contact`}</small>
      <div>
        <PersonAvatar person={contact} size={44} />
        <span>
          <b>{nameOf(contact)}</b>
          <small>{[contact.title, contact.company].filter((each) => each !== '').join(', ')}</small>
        </span>
      </div>
      <span>
        <Mail size={15} aria-hidden />
        <a href={`mailto:${encodeURIComponent(contact.email)}`}>{contact.email}</a>
      </span>
      {note !== '' && (
        <span>
          <Phone size={15} aria-hidden />
          {note}
        </span>
      )}
    </Person>
  )
}

function TypedContact({ person: { name, role, email, phone } }: { person: Welcome['contacts'][number] }) {
  return (
    <Person aria-label={name}>
      <span>
        <span>
          <b>{name}</b>
          <small>{role}</small>
        </span>
      </span>
      {email !== '' && (
        <span>
          <Mail size={15} aria-hidden />
          <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a>
        </span>
      )}
      {phone !== '' && (
        <span>
          <Phone size={15} aria-hidden />
          {phone}
        </span>
      )}
    </Person>
  )
}

/** Logo and name of who invites into the room. */
function Brand({ workspaceId, look }: { workspaceId: number; look: Look }) {
  return (
    <Branded>
      <RoomLogo workspaceId={workspaceId} look={look} height={44} />
      {look.display_name}
    </Branded>
  )
}

const Branded = styled('p')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 12,
  margin: '0 0 12px',
  fontSize: 14,
  fontWeight: 600,
})

const Head = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '52px minmax(0, 1fr) minmax(0, auto)',
  gap: 24,
  overflowWrap: 'anywhere',
  [theme.breakpoints.down('md')]: { gridTemplateColumns: 'minmax(0, 1fr)', gap: 16, '& > span': { display: 'none' } },
}))

const Tile = styled('span')(({ theme }) => ({
  display: 'grid',
  placeItems: 'center',
  width: 52,
  height: 52,
  borderRadius: 10,
  background: theme.vars.palette.rail.main,
  color: theme.vars.palette.rail.text,
}))

const Words = styled('p')({
  margin: '12px 0 0',
  maxWidth: '72ch',
  fontSize: 14,
  lineHeight: 1.6,
  whiteSpace: 'pre-line',
})

const Buttons = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: 8, marginTop: 16 })

const Contacts = styled('div')(({ theme }) => ({
  display: 'grid',
  alignContent: 'start',
  gap: 20,
  paddingLeft: 28,
  maxWidth: 320,
  borderLeft: `1px solid ${theme.vars.palette.divider}`,
  [theme.breakpoints.down('md')]: { paddingLeft: 0, borderLeft: 0, maxWidth: 'none' },
}))

const Person = styled('section')(({ theme }) => ({
  display: 'grid',
  alignContent: 'start',
  gap: 8,
  small: { color: theme.vars.palette.text.secondary, fontSize: '0.75rem' },
  b: { display: 'block', fontSize: 14, fontWeight: 650 },
  a: { color: 'inherit' },
  '& > div, & > span': { display: 'flex', alignItems: 'center', gap: 10 },
  svg: { flex: 'none', color: theme.vars.palette.text.secondary },
}))
