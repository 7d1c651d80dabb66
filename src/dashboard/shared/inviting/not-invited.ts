import { plural } from '@lingui/core/macro'
import type { PersonAdded } from './add-people.ts'
import type { Inviting } from './invite-choice.tsx'

/** Appends to a sentence about added people how many of them get no mail and why, where they were to be invited. */
export function withNotInvited(sentence: string, added: readonly PersonAdded[], { message }: Inviting): string {
  const countOf = (why: PersonAdded['invitation']) => added.filter(({ invitation }) => invitation === why).length
  const [suppressed, tooMany] = [countOf('suppressed'), countOf('too_many')]
  const unread = message.trim() === '' ? 0 : countOf('known')
  const reasons = [
    suppressed > 0 &&
      plural(suppressed, {
        one: 'No invitation was sent, because the team sends no e-mails.',
        other: 'No invitations were sent, because the team sends no e-mails.',
      }),
    tooMany > 0 &&
      plural(tooMany, {
        one: '# invitation was not sent, because a mailbox gets ten mails an hour and one person invites a thousand a day.',
        other:
          '# invitations were not sent, because a mailbox gets ten mails an hour and one person invites a thousand a day.',
      }),
    unread > 0 &&
      plural(unread, {
        one: 'Your words were not sent to # person who was invited before.',
        other: 'Your words were not sent to # people who were invited before.',
      }),
  ].filter((each) => each !== false)
  return reasons.length === 0 ? sentence : [`${sentence}.`, ...reasons].join(' ')
}
