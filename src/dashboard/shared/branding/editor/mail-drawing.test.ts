import { expect, test } from 'vitest'
import { drawingOf } from './mail-drawing.ts'

const mail = {
  html: `<!doctype html>
    <html lang="en"><head><style>@media (prefers-color-scheme: dark) { .a { color: #fff } }</style></head>
    <body><img src="cid:logo-1@strongroom" alt="" /><p>50 % of #1 &amp; &lt;more&gt;</p></body></html>`,
  text: 'Words\n\nOpen: https://rooms.test',
  pictures: [{ cid: 'logo-1@strongroom', content_type: 'image/png' as const, image: 'iVBOR$&' }],
}
const svgOf = (drawing: string) => decodeURIComponent(drawing.replace('data:image/svg+xml,', ''))

test('a mail is drawn as one image that needs nothing else, in either scheme', () => {
  const svg = svgOf(drawingOf(mail, 'light', 400))
  expect(svg).toContain('src="data:image/png;base64,iVBOR$&"')
  expect(svg).toContain('@media not all')
  expect(svgOf(drawingOf(mail, 'dark', 400))).toContain('@media all')
  expect(svg).toContain('50 % of #1 &amp; &lt;more&gt;')
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml')
  expect(parsed.querySelector('parsererror')).toBeNull()
  expect(parsed.documentElement.getAttribute('width')).toBe('400')
})

const heightOf = (width: number, text: string) =>
  Number(/ height="(\d+)"/.exec(svgOf(drawingOf({ ...mail, text }, 'light', width)))?.[1])

test('a narrow image of many words is higher', () => {
  const words = `${'word '.repeat(100)}\n\nOpen`
  expect(heightOf(320, words)).toBeGreaterThan(heightOf(640, words))
  expect(heightOf(640, words)).toBeGreaterThan(heightOf(640, 'word\n\nOpen'))
})

test('words in scripts with wide characters take more lines', () => {
  for (const wide of ['\u6771', '\uac00', '\u3042', '\u30ab', '\uff21'])
    expect(heightOf(640, `${wide.repeat(500)}\n\nOpen`)).toBeGreaterThan(heightOf(640, `${'w'.repeat(900)}\n\nOpen`))
})

test('a mail from a service that sends no pictures is drawn without them', () => {
  const { html, text } = mail
  expect(svgOf(drawingOf({ html, text }, 'light', 400))).toContain('50 % of #1')
})
