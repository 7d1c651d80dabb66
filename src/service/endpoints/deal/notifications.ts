import type { Api } from '../../../contract/index.ts'
import { administerOrganization, enterOrganization } from '../../access/enter/organization.ts'
import { administerWorkspace, enterWorkspace } from '../../access/enter/workspace.ts'
import type { Context, Handlers } from '../../http/context.ts'
import { openUnsubscribeTokens } from '../../mail/unsubscribe-token.ts'
import { changesBetween, recordForAudit, recordForOrganization } from '../../store/audit/audit.ts'
import {
  findSubscriber,
  getSettings,
  setFrequency,
  setWeeklyReport,
  updateSettings,
} from '../../store/notifications/settings.ts'

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

  setWeeklyReport: async ({ db, actor }, { params, body: { weekly_report } }) => {
    const workspace = await administerWorkspace(db, actor, params.id)
    const former = await setWeeklyReport(db, workspace, weekly_report)
    const changes = changesBetween({ weekly_report: former }, { weekly_report })
    if (changes) await recordForAudit(db, workspace, { act: 'weekly_report_chosen', subject_id: workspace.id, changes })
    return getSettings(db, enterOrganization(actor))
  },

  showUnsubscribe: async (context, { body }) => ({
    unsubscribing: shown((await findNamed(context, body.token))?.found),
  }),

  unsubscribe: async (context, { body }) => {
    const named = await findNamed(context, body.token)
    if (!named) return { unsubscribing: null }
    const { found } = named
    if (found.frequency !== 'off') await end(context, named)
    return { unsubscribing: shown({ ...found, frequency: 'off' }) }
  },
}

async function findNamed({ db, actor, services }: Context, token: string) {
  const organization = administerOrganization(actor)
  const subscription = openUnsubscribeTokens(services.vault).read(token)
  const found = subscription && (await findSubscriber(db, organization, subscription))
  return found && subscription && { found, workspace_id: subscription.workspace_id }
}

type Named = NonNullable<Awaited<ReturnType<typeof findNamed>>>

async function end({ db, actor }: Context, { found, workspace_id: id }: Named): Promise<void> {
  const as = { ...actor, ...found.user }
  const workspace = { id, organization_id: as.organization_id, actor: as }
  const of = { params: { name: found.workspace_name }, subject_id: as.id }
  if (found.mails === 'news') {
    const changes = { frequency: { before: await setFrequency(db, workspace, 'off'), after: 'off' } }
    await recordForOrganization(db, enterOrganization(as), { act: 'notifications_ended', ...of, changes })
  } else {
    const changes = { weekly_report: { before: await setWeeklyReport(db, workspace, false), after: false } }
    await recordForOrganization(db, enterOrganization(as), { act: 'weekly_report_ended', ...of, changes })
  }
}

const shown = (found: Named['found'] | undefined) =>
  found
    ? {
        workspace_name: found.workspace_name,
        mails: found.mails,
        language: found.language,
        frequency: found.frequency,
      }
    : null
