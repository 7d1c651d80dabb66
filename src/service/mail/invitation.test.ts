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
  expect(html).toContain('<p>See you<br>there</p>')
  expect(html).toContain('href="https://rooms.example.com/?a=1&amp;b=2"')
})

test('an invitation without a workspace is to Strongroom, and without a message it has none', () => {
  const { subject, html } = writeInvitation({ ...invitation, message: '  ' })
  expect(subject).toBe('Alice Tester invites you to Strongroom')
  expect(html.match(/<p>/g)).toHaveLength(2)
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
