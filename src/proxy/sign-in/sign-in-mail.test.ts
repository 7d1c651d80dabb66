import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type MailServer, startMailServer } from '../../mail/testing/mail-server.ts'
import { startTestProxy, type TestProxy } from '../testing/start-proxy.ts'

let server: MailServer
let proxy: TestProxy
beforeAll(async () => {
  server = await startMailServer()
  proxy = await startTestProxy({ SMTP_URL: server.url, MAIL_FROM: 'Rooms <rooms@rooms.test>', DEMO_PEOPLE: '' })
})
afterAll(async () => {
  await proxy.close()
  await server.close()
})

it('a sign-in code reaches its user over SMTP, as text and HTML, and works', async () => {
  const email = 'alice@rooms.test'
  const { status, cookie } = await proxy.askCode(email)
  expect(status).toBe(204)
  await vi.waitFor(() => expect(server.received).toHaveLength(1), 20_000)
  const [{ from, to, text } = { from: '', to: [], text: '' }] = server.received
  expect([from, to]).toEqual(['rooms@rooms.test', [email]])
  const mail = await PostalMime.parse(text)
  const code = /^ {4}(\d{6})$/m.exec(mail.text ?? '')?.[1] ?? ''
  expect(mail.html).toContain(code)
  expect((await proxy.send('POST', '/auth/sign-in', { json: { email, code }, headers: { cookie } })).status).toBe(200)
})

it('the reply does not reveal that the mail server refuses', async () => {
  server.behave({ recipient: [550, 'No such user here'] })
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  const before = server.asked()
  expect((await proxy.send('POST', '/auth/code', { json: { email: 'bob@rooms.test' } })).status).toBe(204)
  await vi.waitFor(() => expect(told).toHaveBeenCalledWith(expect.stringContaining('No such user here')), 20_000)
  expect(server.asked()).toBe(before + 1)
  expect(told.mock.calls.join()).not.toContain('bob@rooms.test')
  told.mockRestore()
})
