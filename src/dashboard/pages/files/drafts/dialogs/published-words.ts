import { plural, t } from '@lingui/core/macro'
import type { Reply } from '../../../../../contract/endpoint.ts'
import type { api } from '../../../../../contract/index.ts'
import { countWords } from '../../../../shared/names-of.ts'

type Published = Reply<typeof api.drafts.publish>

export function publishedWords(published: Published): string {
  const what = countWords(published)
  const { invited } = published
  if (invited === 0) return t`Published: ${what}.`
  const mails = plural(invited, { one: '# invitation is on its way', other: '# invitations are on their way' })
  return t`Published: ${what}. ${mails}.`
}

export const leftWords = (left: number) =>
  plural(left, {
    one: '# person is still not invited: 100 are invited at a time, a mailbox gets ten mails an hour, one person invites a thousand a day, and the team may suppress mails.',
    other:
      '# people are still not invited: 100 are invited at a time, a mailbox gets ten mails an hour, one person invites a thousand a day, and the team may suppress mails.',
  })

export function seenWords({ folders, files, people, groups }: Published): string {
  if (folders === 0) return t`Nothing can be seen yet: a draft above still hides it.`
  const what = countWords({ folders, files })
  if (groups === 0) return t`No group may see anything of it yet: ${what}.`
  if (people === 0) return t`The groups that may see something of it have no people yet: ${what}.`
  const inGroups = plural(groups, { one: '# group', other: '# groups' })
  return plural(people, {
    one: `${inGroups} may see something of it, with # person: ${what}.`,
    other: `${inGroups} may see something of it, with # people: ${what}.`,
  })
}
