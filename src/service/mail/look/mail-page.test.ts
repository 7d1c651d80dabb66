import { expect, test } from 'vitest'
import { html } from '../../../wire/html.ts'
import { buttonTo, pageOf } from './mail-page.ts'
import type { MailLook } from './mail-styles.ts'

const NOTHING: MailLook = { display_name: null, accent_light: null, accent_dark: null }

const pageOfRoom = (look: MailLook | undefined) =>
  pageOf({
    language: 'en',
    look,
    body: (accents) => html`
      <p>Hello</p>
      ${buttonTo('https://rooms.test/a', 'Open', accents)}
    `,
    notes: ['Why'],
    ways: [{ text: 'Stop', url: 'https://rooms.test/b' }],
  })
const pageWith = (look: Partial<MailLook>) => pageOfRoom({ ...NOTHING, ...look })

test('a page wears the accents of its room, each in its scheme, with text that can be read on them', () => {
  const page = pageWith({ accent_light: '#7a1f3d', accent_dark: '#ffcc00' })
  const [sheet = '', body = ''] = page.split('</style>')
  expect(body).toContain('background: #7a1f3d; color: #ffffff')
  expect(sheet).toContain('.press { color: #000000 !important }')
  expect(sheet).toContain('.bar, .button, .press { background: #ffcc00 !important }')
  expect(page).not.toContain('#0b5d66')
})

test('without a branding, a page has the accents of the installation and no head', () => {
  const page = pageWith({})
  expect(page).toContain('background: #0b5d66; color: #ffffff')
  expect(page).toContain('background: #5fc4ce !important')
  expect(page).not.toContain('class="brand"')
  expect(page).toBe(pageOfRoom(undefined))
})

const HOSTILE = [
  '</style><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onload='alert(1)",
  'red; background: url(//evil.example/x)',
  'url(javascript:alert(1))',
  '#0b5d66}*{display:none',
  '#0b5d66;}',
  '<!-- logo -->',
  '-->',
]

test.each(HOSTILE)('K98: %j as a name or colour that is stored somehow says no more than a name', (hostile) => {
  const plain = pageWith({ display_name: 'name' })
  const page = pageWith({ display_name: hostile, accent_light: hostile, accent_dark: hostile })
  const name = /(?<=<p class="brand"[^>]*>)[^<]*/
  expect(page.replace(name, '')).toBe(plain.replace(name, ''))
  expect(name.exec(page)?.[0]).not.toMatch(/["'<>]/)
})

test.each(['#ffcc00', '#ffffff', '#e8f0f2'])('a colour that is too pale for text gives way: %s', (accent_light) =>
  expect(pageWith({ accent_light })).toBe(pageWith({})),
)
