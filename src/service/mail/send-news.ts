import { claimDue, listWorkspacesWithDue, putOff, type DueMember } from '../store/notifications/due-members.ts'
import { readNews } from '../store/notifications/member-news.ts'
import { type DeliveryMeans, type Mailing, mailMembers } from './mail-members.ts'
import { writeNews } from './news-mail.ts'

/** Mails everybody the news that are due at `now`. @returns how many mails were handed over */
export function sendNews(means: DeliveryMeans, now: Date, stop: AbortSignal): Promise<number> {
  const { db } = means
  const news: Mailing<DueMember> = {
    name: 'mails of news',
    mails: 'news',
    listWorkspaces: listWorkspacesWithDue,
    inWorkspace: (workspaceId, { asOf, slots }) => ({
      claim: (most) => claimDue(db, workspaceId, { slots, asOf, most }),
      write: async (members) => {
        const all = await readNews(db, workspaceId, members, now.toISOString().slice(0, 10))
        return all.map((each) => ({ ...each, writeMail: (links, look) => writeNews(each, links, look) }))
      },
      putOff: (tx, late) => putOff(tx, workspaceId, late, now),
    }),
  }
  return mailMembers(means, news, now, stop)
}
