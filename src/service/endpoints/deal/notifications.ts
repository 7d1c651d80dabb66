import type { Api } from '../../../contract/index.ts'
import { administerOrganization, enterOrganization } from '../../access/enter/organization.ts'
import { enterWorkspace } from '../../access/enter/workspace.ts'
import type { Context, Handlers } from '../../http/context.ts'
import { openUnsubscribeTokens } from '../../mail/unsubscribe-token.ts'
import { changesBetween, recordForAudit, recordForOrganization } from '../../store/audit/audit.ts'
import { findSubscriber, getSettings, setFrequency, updateSettings } from '../../store/notifications/settings.ts'

export const notifications: Handlers<Api['notifications']> = {
  get: async ({ db, actor }) => getSettings(db, enterOrganization(actor)),

  update: async ({ db, actor }, { body }) => {
    const organization = enterOrganization(actor)
    const changes = changesBetween(await updateSettings(db, organization, body.notifications), body.notifications)
    if (changes)
      await recordForOrganization(db, organization, { act: 'notifications_updated', subject_id: actor.id, changes })
    return getSettings(db, organization)
  },

  setForWorkspace: async ({ db, actor }, { params, body: { frequency } }) => {
    const workspace = await enterWorkspace(db, actor, params.id)
    const changes = changesBetween({ frequency: await setFrequency(db, workspace, frequency) }, { frequency })
    if (changes) await recordForAudit(db, workspace, { act: 'notifications_chosen', subject_id: workspace.id, changes })
    return getSettings(db, enterOrganization(actor))
  },

  showUnsubscribe: async (context, { body }) => ({
    unsubscribing: shown((await findNamed(context, body.token))?.found),
  }),

  unsubscribe: async (context, { body }) => {
    const { db, actor } = context
    const named = await findNamed(context, body.token)
    if (!named) return { unsubscribing: null }
    const { found, workspace_id } = named
    if (found.frequency !== 'off') {
      const as = { ...actor, ...found.user }
      const former = await setFrequency(db, { id: workspace_id, actor: as }, 'off')
      const changes = { frequency: { before: former, after: 'off' } }
      await recordForOrganization(db, enterOrganization(as), {
        act: 'notifications_ended',
        params: { name: found.workspace_name },
        subject_id: as.id,
        changes,
      })
    }
    return { unsubscribing: shown({ ...found, frequency: 'off' }) }
  },
}

async function findNamed({ db, actor, services }: Context, token: string) {
  const organization = administerOrganization(actor)
  const subscription = openUnsubscribeTokens(services.vault).read(token)
  const found = subscription && (await findSubscriber(db, organization, subscription))
  return found && subscription && { found, workspace_id: subscription.workspace_id }
}

type Found = NonNullable<Awaited<ReturnType<typeof findSubscriber>>>

const shown = (found: Found | undefined) =>
  found ? { workspace_name: found.workspace_name, language: found.language, frequency: found.frequency } : null
