import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '../../../contract/index.ts'
import { openApi } from '../../../contract/openapi.ts'
import { startTestService, type TestService } from '../../testing/start-service.ts'

let service: TestService
let docs: Response
let page: string
beforeAll(async () => {
  service = await startTestService()
  docs = await fetch(`${service.url}/api/v1/docs`)
  page = await docs.text()
})
afterAll(() => service.close())

describe('the OpenAPI document', () => {
  it('is served without a signature', async () => {
    const response = await fetch(`${service.url}/api/v1/openapi.json`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=UTF-8')
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(openApi())))
  })
})

describe('the reference page', () => {
  it('is served without a signature', () => {
    expect(docs.status).toBe(200)
    expect(docs.headers.get('content-type')).toBe('text/html; charset=UTF-8')
  })

  it('G2: the reference allows its own style and nothing else', () => {
    const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(docs.headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ])
    expect(Object.fromEntries(docs.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    })
    expect(page).not.toMatch(/<script|<link|\ssrc=|\sstyle=|\son\w+=/)
  })

  it('shows every endpoint once, with an example call', () => {
    for (const [section, endpoints] of Object.entries(api)) {
      for (const [key, { method, path }] of Object.entries(endpoints)) {
        const articles = page.split('<article id="').filter((each) => each.startsWith(`${section}_${key}"`))
        expect(articles, `${section}.${key}`).toHaveLength(1)
        expect(articles[0]).toContain(`<code>${path}</code>`)
        expect(articles[0]).toContain(method === 'GET' ? 'signed &quot;$API/' : `signed -X ${method} &quot;$API/`)
      }
    }
  })

  it('has one target for each of its links', () => {
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const links = [...page.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id)
    expect(links.filter((id) => !ids.includes(id))).toEqual([])
  })

  it('names the fields of request bodies and replies', () => {
    const article = page.split('<article id="groups_create"')[1]?.split('</article>')[0] ?? ''
    expect(article).toContain('<code>group.name</code>')
    expect(article).toContain('1 to 255 characters')
    expect(article).toContain('<a href="#object-GroupInfo">GroupInfo</a>')
  })
})
