import { findSenderName } from '../store/branding/sender.ts'
import {
  claimDue,
  type DueMember,
  listWorkspacesWithDue,
  putOff,
  SETTLED_MS,
} from '../store/notifications/due-members.ts'
import { type MemberNews, readNews } from '../store/notifications/member-news.ts'
import { readSlots, type Slots } from '../store/notifications/slots.ts'
import { BATCH, deliverToMembers, type DeliveryMeans, newPass, type Pass } from './deliver-to-members.ts'
import { writeNews } from './news-mail.ts'

/** Mails everybody the news that are due at `now`. @returns how many mails were handed over */
export async function sendNews(means: DeliveryMeans, now: Date, stop: AbortSignal): Promise<number> {
  const asOf = new Date(now.getTime() - SETTLED_MS)
  const slots = await readSlots(means.db, asOf)
  const pass: NewsPass = { ...newPass(now, stop), asOf, slots }
  let sent = 0
  for (const workspaceId of await listWorkspacesWithDue(means.db, slots, asOf))
    sent += await sendInWorkspace(means, workspaceId, pass)
  if (sent > 0) means.log.info({ mails: sent }, 'mailed news')
  if (pass.unsent.mails > 0) means.log.warn(pass.unsent, 'mails of news were not handed over')
  return sent
}

interface NewsPass extends Pass {
  asOf: Date
  slots: Slots
}

async function sendInWorkspace(means: DeliveryMeans, workspaceId: number, pass: NewsPass): Promise<number> {
  for (let sent = 0; ;) {
    if (pass.stop.aborted || pass.isAway) return sent
    const members = await claimDue(means.db, workspaceId, { ...pass, most: BATCH })
    if (members.length === 0) return sent
    sent += await deliverToMembers(means, pass, {
      workspaceId,
      members,
      write: () => writeAll(means, workspaceId, members, pass),
      putOff: (tx, late) => putOff(tx, workspaceId, late, pass.now),
    })
  }
}

async function writeAll(means: DeliveryMeans, workspaceId: number, members: readonly DueMember[], pass: NewsPass) {
  const today = pass.now.toISOString().slice(0, 10)
  const [waiting, sender] = await Promise.all([
    readNews(means.db, workspaceId, members, { until: pass.asOf, today }),
    findSenderName(means.db, workspaceId),
  ])
  return waiting.map((news) => ({ user_id: news.user_id, mail: writeOne(means, workspaceId, news, sender) }))
}

function writeOne({ tokens, publicUrl }: DeliveryMeans, workspace_id: number, news: MemberNews, sender: string | null) {
  const { user_id, membership_id } = news
  const token = tokens.make({ workspace_id, user_id, membership_id, mails: 'news' })
  const links = {
    workspace: `${publicUrl}/workspaces/${workspace_id}`,
    settings: `${publicUrl}/account`,
    unsubscribe: `${publicUrl}/unsubscribe/${token}`,
  }
  return { ...writeNews(news, links), ...(sender !== null && { from_name: sender }) }
}
