import { enterFolder } from '../../access/enter/folder.ts'
import { enterPlanner } from '../../access/enter/planner.ts'
import type { Db } from '../../db/pool.ts'
import { findSenderName } from '../../store/branding/sender.ts'
import {
  claimReports,
  type DueReport,
  listWorkspacesWithDueReports,
  putOffReports,
  readRecipients,
  type Recipient,
} from '../../store/notifications/due-reports.ts'
import { SETTLED_MS } from '../../store/notifications/due-members.ts'
import { readSlots, type Slots } from '../../store/notifications/slots.ts'
import {
  isInWeek,
  isWorthTelling,
  readWeeklyReport,
  weekBefore,
  type WeeklyReport,
} from '../../store/notifications/weekly-report.ts'
import { BATCH, deliverToMembers, type DeliveryMeans, newPass, type Pass } from '../deliver-to-members.ts'
import { writeWeeklyReport } from './weekly-mail.ts'

/**
 * Mails admins the weekly reports that are due at `now`. What a report says is read once for all admins of a workspace
 * whose weeks are the same days. @returns how many mails were handed over
 */
export async function sendWeeklyReports(means: DeliveryMeans, now: Date, stop: AbortSignal): Promise<number> {
  const asOf = new Date(now.getTime() - SETTLED_MS)
  const slots = await readSlots(means.db, asOf)
  const pass: ReportPass = { ...newPass(now, stop), asOf, slots }
  let sent = 0
  for (const workspaceId of await listWorkspacesWithDueReports(means.db, slots, asOf))
    sent += await sendInWorkspace(means, workspaceId, pass)
  if (sent > 0) means.log.info({ mails: sent }, 'mailed weekly reports')
  if (pass.unsent.mails > 0) means.log.warn(pass.unsent, 'weekly reports were not handed over')
  return sent
}

interface ReportPass extends Pass {
  asOf: Date
  slots: Slots
}

/** Reports of one workspace by the last day of their week. */
type Reports = Map<string, WeeklyReport>

async function sendInWorkspace(means: DeliveryMeans, workspaceId: number, pass: ReportPass): Promise<number> {
  const reports: Reports = new Map()
  for (let sent = 0; ;) {
    if (pass.stop.aborted || pass.isAway) return sent
    const members = await claimReports(means.db, workspaceId, { ...pass, most: BATCH })
    if (members.length === 0) return sent
    sent += await deliverToMembers(means, pass, {
      workspaceId,
      members,
      write: () => writeAll(means, workspaceId, members, reports, pass),
      putOff: (tx, late) => putOffReports(tx, workspaceId, late, pass.now),
    })
  }
}

async function writeAll(
  means: DeliveryMeans,
  workspaceId: number,
  due: readonly DueReport[],
  reports: Reports,
  { now }: Pass,
) {
  const { db } = means
  for (const each of due.filter(({ is_admin }) => is_admin)) await readFor(db, workspaceId, each, reports, now)
  // Last, so that the rights are those of the moment of sending.
  const [recipients, sender] = await Promise.all([
    readRecipients(
      db,
      workspaceId,
      due.map(({ user_id }) => user_id),
    ),
    findSenderName(db, workspaceId),
  ])
  return recipients.flatMap((recipient) => {
    const dueAt = due.find(({ user_id }) => user_id === recipient.user_id)?.due_at ?? ''
    const report = reports.get(weekBefore(dueAt).to)
    const mail = report && writeOne(means, workspaceId, report, recipient)
    return mail
      ? [{ user_id: recipient.user_id, mail: { ...mail, ...(sender !== null && { from_name: sender }) } }]
      : []
  })
}

/** Reads the report for the week of an admin unless it was read before. */
async function readFor(
  db: Db,
  workspace_id: number,
  { user_id, organization_id, due_at }: DueReport,
  reports: Reports,
  now: Date,
): Promise<void> {
  const period = weekBefore(due_at)
  if (reports.has(period.to)) return
  const planner = { workspace_id, user_id, organization_id, personal_key_id: null, secret_stamp: null }
  const workspace = await enterPlanner(db, planner, now)
  if (!workspace) return
  const root = { ...(await enterFolder(db, workspace, 0)), workspace }
  reports.set(period.to, await readWeeklyReport(db, root, period))
}

function writeOne({ tokens, publicUrl }: DeliveryMeans, workspace_id: number, report: WeeklyReport, to: Recipient) {
  const { user_id, membership_id } = to
  const own = to.joined_at !== null && isInWeek(to.joined_at, report.period) ? 1 : 0
  const others = report.arrived.names.filter((person) => person.user_id !== user_id)
  const arrived = { count: report.arrived.count - own, names: others.map(({ name }) => name) }
  if (!isWorthTelling(report, arrived.count)) return undefined
  const token = tokens.make({ workspace_id, user_id, membership_id, mails: 'weekly_report' })
  const links = {
    workspace: `${publicUrl}/workspaces/${workspace_id}`,
    settings: `${publicUrl}/account`,
    unsubscribe: `${publicUrl}/unsubscribe/${token}`,
  }
  return writeWeeklyReport(report, { ...to, arrived }, links)
}
