import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { openApi } from '../../../contract/openapi.ts'
import { API_PREFIX } from '../../../contract/url.ts'
import { referencePage } from './reference-page.ts'
import { css } from './reference-style.ts'

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** The API documentation, public because the API is no secret. Built at the first request, then constant. */
export function registerReference(app: FastifyInstance): void {
  let json: string | undefined
  let page: string | undefined
  app.get(`${API_PREFIX}/openapi.json`, (_request, reply) => {
    json ??= JSON.stringify(openApi())
    return reply.type('application/json; charset=UTF-8').send(json)
  })
  app.get(`${API_PREFIX}/docs`, (_request, reply) => {
    page ??= referencePage(openApi(), css)
    return reply
      .type('text/html; charset=UTF-8')
      .headers({
        'Content-Security-Policy': POLICY,
        'Referrer-Policy': 'no-referrer',
      })
      .send(page)
  })
}
