import { enterFolder } from '../../access/enter/folder.ts'
import { enterPlanner } from '../../access/enter/planner.ts'
import type { Db } from '../../db/pool.ts'
import {
  claimReports,
  type DueReport,
  listWorkspacesWithDueReports,
  putOffReports,
  readRecipients,
  type Recipient,
} from '../../store/notifications/due-reports.ts'
import {
  isInWeek,
  isWorthTelling,
  readWeeklyReport,
  weekBefore,
  type WeeklyReport,
} from '../../store/notifications/weekly-report.ts'
import type { RoomLook } from '../../store/branding/sender.ts'
import { type DeliveryMeans, type Links, type Mailing, mailMembers } from '../mail-members.ts'
import { writeWeeklyReport } from './weekly-mail.ts'

/** Mails admins the weekly reports that are due at `now`. @returns how many mails were handed over */
export function sendWeeklyReports(means: DeliveryMeans, now: Date, stop: AbortSignal): Promise<number> {
  const { db } = means
  const reports: Mailing<DueReport> = {
    name: 'weekly reports',
    mails: 'weekly_report',
    listWorkspaces: listWorkspacesWithDueReports,
    inWorkspace(workspaceId, { asOf, slots }) {
      const read: Reports = new Map()
      return {
        claim: (most) => claimReports(db, workspaceId, { slots, asOf, most }),
        write: (members) => writeAll(db, workspaceId, members, read, now),
        putOff: (tx, late) => putOffReports(tx, workspaceId, late, now),
      }
    },
  }
  return mailMembers(means, reports, now, stop)
}

/** Reports of one workspace by the last day of their week, each read once for all its admins. */
type Reports = Map<string, WeeklyReport>

async function writeAll(db: Db, workspaceId: number, due: readonly DueReport[], reports: Reports, now: Date) {
  for (const each of due.filter(({ is_admin }) => is_admin)) await readFor(db, workspaceId, each, reports, now)
  const ids = due.map(({ user_id }) => user_id)
  // Last, so that the rights are those of the moment of sending.
  const recipients = await readRecipients(db, workspaceId, ids)
  return recipients.flatMap((recipient) => {
    const dueAt = due.find(({ user_id }) => user_id === recipient.user_id)?.due_at ?? ''
    const report = reports.get(weekBefore(dueAt).to)
    return report ? letterTo(recipient, report) : []
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
  const planner = { workspace_id, user_id, organization_id, personal_key_id: null, secret_stamp: null, scopes: [] }
  const workspace = await enterPlanner(db, planner, now)
  if (!workspace) return
  const root = { ...(await enterFolder(db, workspace, 0)), workspace }
  reports.set(period.to, await readWeeklyReport(db, root, period))
}

/** No letter about a week in which nothing happened that the reader did not do. */
function letterTo(to: Recipient, report: WeeklyReport) {
  const { user_id, membership_id } = to
  const own = to.joined_at !== null && isInWeek(to.joined_at, report.period) ? 1 : 0
  const others = report.arrived.names.filter((person) => person.user_id !== user_id)
  const arrived = { count: report.arrived.count - own, names: others.map(({ name }) => name) }
  if (!isWorthTelling(report, arrived.count)) return []
  const writeMail = (links: Links, look: RoomLook | undefined) =>
    writeWeeklyReport(report, { ...to, arrived }, links, look)
  return [{ user_id, membership_id, writeMail }]
}
