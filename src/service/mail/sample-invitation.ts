import type { Input, Reply } from '../../contract/endpoint.ts'
import type { Api } from '../../contract/index.ts'
import { namedSender } from '../../mail/transport.ts'
import { nameOf } from '../auth/actor.ts'
import type { Config } from '../base/config.ts'
import type { Db } from '../db/pool.ts'
import { type BrandOwner, isWorkspace } from '../store/branding/brandings.ts'
import { findSender, type Sender } from '../store/branding/sender.ts'
import { listRoomFacts } from '../store/people/invitations.ts'
import type { JobPayloads } from '../jobs/queue.ts'
import { writeInvitation } from './invitation.ts'
import { INVITATION_WORDS } from './invitation-words.ts'
import { readLogo, withLogo } from './look/logo.ts'

type Draft = Input<Api['brandings']['preview']>['body']

interface Sample {
  /** As it arrives. */
  shown: Reply<Api['brandings']['preview']>
  /** As it is enqueued. */
  mail: Omit<JobPayloads['mail'], 'to'>
}

/** Writes an invitation as it is sent, with the caller as inviter and reader, and a link that is nobody's. */
export async function sampleInvitation(
  db: Db,
  owner: BrandOwner,
  { publicUrl, mailFrom }: Config,
  { language, branding }: Draft,
  purpose: 'preview' | 'test' = 'preview',
): Promise<Sample> {
  const { actor } = owner
  const logo_of = { organization_id: actor.organization_id, workspace_id: isWorkspace(owner) ? owner.id : 0 }
  const [sender, logo, facts] = await Promise.all([
    findSender(db, logo_of.organization_id, logo_of.workspace_id),
    readLogo(db, logo_of),
    isWorkspace(owner) ? listRoomFacts(db, owner, [actor.id]) : undefined,
  ])
  const words = INVITATION_WORDS[language]
  const room = facts?.[0] ?? {
    description: '',
    expectation: '',
    access_ends_at: null,
    access_has_ended: false,
    terms_await: false,
  }
  const written = writeInvitation({
    language,
    inviter: nameOf(actor),
    name: actor.first_name,
    workspace_name: isWorkspace(owner) ? owner.name : words.sampleRoom,
    room,
    url: isWorkspace(owner) ? `${publicUrl}/workspaces/${owner.id}/welcome` : publicUrl,
    sender: sender && withDraft(sender, language, branding),
  })
  const { from_name, reply_to, text } = written
  const subject = purpose === 'test' ? `${words.test}: ${written.subject}` : written.subject
  const { html, pictures = [] } = withLogo(written, logo)
  const from = from_name ? shownSender(namedSender(mailFrom, from_name)) : mailFrom
  const shownPictures = pictures.map(({ content, ...picture }) => ({ ...picture, image: content.toString('base64') }))
  return {
    shown: { from, reply_to: reply_to ?? null, subject, text, html, pictures: shownPictures },
    mail: { ...written, subject, logo_of },
  }
}

const shownSender = ({ name, address }: { name: string; address: string }) => `${name} <${address}>`

function withDraft(sender: Sender, language: Draft['language'], branding: Draft['branding']): Sender {
  const saved = sender.texts[language]
  const { [`subject_${language}` as const]: subject, [`text_${language}` as const]: text, sender_name } = branding
  return {
    ...sender,
    sender_name: sender_name === undefined ? sender.sender_name : sender_name,
    texts: {
      ...sender.texts,
      [language]: {
        subject: subject === undefined ? saved.subject : subject,
        text: text === undefined ? saved.text : text,
      },
    },
  }
}
