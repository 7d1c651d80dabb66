import type { Api } from '../../contract/index.ts'
import { enterOrganization } from '../access/enter/organization.ts'
import type { Handlers } from '../http/context.ts'
import { created, recordForOrganization } from '../store/audit/audit.ts'
import { deleteSession, deleteSessions, insertSession, listSessions } from '../store/people/sessions.ts'

export const sessions: Handlers<Api['sessions']> = {
  list: async ({ db, actor }) => ({ sessions: await listSessions(db, enterOrganization(actor)) }),

  create: async ({ db, actor }, { body }) => {
    const organization = enterOrganization(actor)
    const session = await insertSession(db, organization, body)
    await recordForOrganization(db, organization, {
      act: `signed_in_with_${session.method}`,
      subject_id: session.id,
      changes: created({ method: session.method, user_agent: session.user_agent }),
    })
    return session
  },

  remove: async ({ db, actor }, { params }) => {
    const organization = enterOrganization(actor)
    await deleteSession(db, organization, params.id)
    const act = params.id === actor.session_id ? 'signed_out' : 'signed_out_elsewhere'
    await recordForOrganization(db, organization, { act, subject_id: params.id })
    return { status: 200, message: 'The session has ended.' }
  },

  removeAll: async ({ db, actor }, { query }) => {
    const organization = enterOrganization(actor)
    const ended = await deleteSessions(db, organization, query.current ? undefined : actor.session_id)
    const act = query.current ? 'signed_out_everywhere' : 'signed_out_everywhere_else'
    if (ended > 0) await recordForOrganization(db, organization, { act, subject_id: null })
    return { status: 200, message: ended === 1 ? 'One session has ended.' : `${ended} sessions have ended.` }
  },
}
