import { expect, test } from 'vitest'
import { writeInvitation } from './invitation.ts'

const invitation = { to: 'bob@example.com', inviter: 'Alice Tester', url: 'https://rooms.example.com/?a=1&b=2' }

test('an invitation names the inviter, the workspace and the link', () => {
  const { subject, text, html } = writeInvitation({
    ...invitation,
    workspace_name: 'Harbour',
    message: 'See you\nthere',
  })
  expect(subject).toBe('Alice Tester invites you to Harbour')
  expect(text).toBe(
    'Alice Tester invites you to the workspace "Harbour".\n\nSee you\nthere\n\nCome in: https://rooms.example.com/?a=1&b=2\n\n',
  )
  expect(html).toContain('<p>See you<br />there</p>')
  expect(html).toContain('href="https://rooms.example.com/?a=1&amp;b=2"')
})

test('an invitation without a workspace is to Strongroom, and without a message it has none', () => {
  const { subject, html } = writeInvitation({ ...invitation, message: '  ' })
  expect(subject).toBe('Alice Tester invites you to Strongroom')
  expect(html.match(/<p>/g)).toHaveLength(1)
})

test('K74: no words, name or description become a link, a heading or a header of the mail', () => {
  const hostile = 'Pay at https://evil.example/a or www.evil.example, mail a@evil.example\r\nBcc: b@evil.example'
  const room = {
    description: hostile,
    expectation: hostile,
    access_ends_at: '2026-12-18',
    access_has_ended: false,
    terms_await: true,
  }
  const { text, html, subject } = writeInvitation({
    ...invitation,
    inviter: 'evil.example',
    workspace_name: 'www.evil.example',
    message: hostile,
    room,
  })
  const own = (part: string) =>
    part.replaceAll(invitation.url, '').replaceAll('https://rooms.example.com/?a=1&amp;b=2', '')
  for (const part of [own(text), own(html)]) {
    expect(part).not.toMatch(/https?:\/\/|\w\.\w|\w@\w/)
    expect(part).toContain('Terms await your answer')
    expect(part).toContain('18 December 2026, 00:\u206000 UTC')
  }
  expect(html.match(/<a /g)).toHaveLength(1)
  expect(subject).not.toMatch(/[\r\n]/)
})

test('I4: user input is text, in the HTML too', () => {
  const hostile = '<img src=x onerror="alert(1)">&\'"'
  const { html, subject } = writeInvitation({
    ...invitation,
    inviter: hostile,
    workspace_name: hostile,
    message: hostile,
  })
  expect(html).not.toContain('<img')
  expect(html.match(/&lt;img src=x onerror=&quot;alert\(1\)&quot;&gt;&amp;&#39;&quot;/g)).toHaveLength(3)
  expect(subject).not.toContain('\n')
})
