import type { Api } from '../../contract/index.ts'
import { enterOrganization } from '../access/enter/organization.ts'
import type { Handlers } from '../http/context.ts'
import { created, recordForOrganization } from '../store/audit.ts'
import { deleteSession, deleteSessions, insertSession, listSessions } from '../store/sessions.ts'

const SIGNED_IN = {
  code: 'signed in with a code',
  oidc: 'signed in through the identity provider',
  demo: 'signed in on the demo',
}

export const sessions: Handlers<Api['sessions']> = {
  list: async ({ db, actor }) => ({ sessions: await listSessions(db, enterOrganization(actor)) }),

  create: async ({ db, actor }, { body }) => {
    const organization = enterOrganization(actor)
    const session = await insertSession(db, organization, body)
    await recordForOrganization(db, organization, {
      verb: 'signed_in',
      message: SIGNED_IN[session.method],
      subject_type: 'Session',
      subject_id: session.id,
      changes: created({ method: session.method, user_agent: session.user_agent }),
    })
    return session
  },

  remove: async ({ db, actor }, { params }) => {
    const organization = enterOrganization(actor)
    await deleteSession(db, organization, params.id)
    const message = params.id === actor.session_id ? 'signed out' : 'signed out elsewhere'
    const subject = { subject_type: 'Session', subject_id: params.id }
    await recordForOrganization(db, organization, { verb: 'signed_out', message, ...subject })
    return { status: 200, message: 'The session has ended.' }
  },

  removeAll: async ({ db, actor }, { query }) => {
    const organization = enterOrganization(actor)
    const ended = await deleteSessions(db, organization, query.current ? undefined : actor.session_id)
    const message = query.current ? 'signed out everywhere' : 'signed out everywhere else'
    const subject = { subject_type: 'Session', subject_id: null }
    if (ended > 0) await recordForOrganization(db, organization, { verb: 'signed_out', message, ...subject })
    return { status: 200, message: ended === 1 ? 'One session has ended.' : `${ended} sessions have ended.` }
  },
}
