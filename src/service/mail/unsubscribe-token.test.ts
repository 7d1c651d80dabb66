import { expect, test } from 'vitest'
import { MAILS } from '../../contract/endpoints/deal/notifications.ts'
import { readId } from '../../contract/read-id.ts'
import { openUnsubscribeTokens } from './unsubscribe-token.ts'

const plain = { seal: (text: string) => Buffer.from(text), open: (bytes: Buffer) => bytes.toString() }
const tokens = openUnsubscribeTokens({ sealerFor: () => plain })

test.each(MAILS)('a link names the mails that it ends: %s', (mails) => {
  const subscription = { mails, workspace_id: 3, user_id: 5, membership_id: 7 }
  expect(tokens.read(tokens.make(subscription))).toEqual(subscription)
})

test('K89: the former release, which knew only news, ends them by links of news alone', () => {
  const readFormerly = (token: string) => Buffer.from(token, 'base64url').toString().split('.').slice(0, 3).map(readId)
  const ids = { workspace_id: 3, user_id: 5, membership_id: 7 }
  expect(readFormerly(tokens.make({ ...ids, mails: 'news' }))).toEqual([3, 5, 7])
  expect(readFormerly(tokens.make({ ...ids, mails: 'weekly_report' }))[0]).toBeUndefined()
})

test.each(['', '3.5', '3.5.x', 'other.3.5.7', '3.5.7.news', 'news.3.5.7.9'])(
  'is read from nothing else: %j',
  (text) => {
    expect(tokens.read(Buffer.from(text).toString('base64url'))).toBeUndefined()
  },
)
