import fc from 'fast-check'
import { callWith, exampleCall, type InputField, inputFields } from '../../../contract/testing/input-fields.ts'
import type { AnyEndpoint } from '../../../contract/endpoint.ts'
import { api } from '../../../contract/index.ts'
import { urlOf } from '../../../contract/url.ts'
import { hostileNumber, hostileText } from '../inputs.ts'
import { askProxy, askService, sendBytes, statusOf } from '../send.ts'
import type { Stand } from '../stand.ts'
import { target } from '../target.ts'

/** Fuzzes every parser of requests in service and proxy. */

/** Characters; some take three bytes in UTF-8, and a body may have 1 MiB. */
const MAX_BODY = 340_000
const MAX_HEAD = 14_000

const fields = new Map(
  inputFields()
    .filter(({ endpoint }) => !endpoint.eventStream)
    .map((field) => [field.name, field]),
)
const endpoints = new Map(
  Object.values(api)
    .flatMap((section) => Object.values<AnyEndpoint>(section))
    .filter(({ eventStream }) => !eventStream)
    .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]),
)
const textFields = [...fields.values()].filter(({ part, schema }) => part !== 'params' && schema.type === 'string')

/** Chosen by name, so that a report is readable. */
const anEndpoint = fc.constantFrom(...endpoints.keys())
const aField = fc.constantFrom(...fields.keys())
const aTextField = fc.constantFrom(...textFields.map(({ name }) => name))
const endpointOf = (name: string) => endpoints.get(name) as AnyEndpoint
const fieldOf = (name: string) => fields.get(name) as InputField
const encode = (text: string) => encodeURIComponent(text.toWellFormed()).slice(0, MAX_HEAD)
const label = fc.constantFrom(
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  '',
)

/** Replaces the example's workspace and group by those of the stand, so that most calls are let in. */
function inRoom(call: ReturnType<typeof exampleCall>, { workspaceId, groupId }: Stand): typeof call {
  const swap = (part: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(part).map(([name, value]) => {
        if (name === 'workspace_id' && value === 7) return [name, workspaceId]
        if (name === 'group_id' && value === 7) return [name, groupId]
        return [name, isRecord(value) ? swap(value) : value]
      }),
    )
  return { params: swap(call.params), query: swap(call.query), body: swap(call.body) }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export default [
  target({
    name: 'request reader',
    input: fc.record({ endpoint: anEndpoint, text: hostileText(MAX_BODY), label }),
    attempt: async ({ endpoint: name, text, label: type }, stand) => {
      const it = await stand()
      const endpoint = endpointOf(name)
      const { params, query } = inRoom(exampleCall(endpoint), it)
      const head = {
        method: endpoint.method,
        target: urlOf(endpoint, { params, query }),
        headers: { 'Content-Type': type },
      }
      statusOf(await askService(it, head, text.toWellFormed()))
    },
  }),
  target({
    name: 'text fields',
    input: fc.record({
      field: aTextField,
      text: hostileText(MAX_BODY),
    }),
    attempt: async ({ field: name, text }, stand) => {
      const field = fieldOf(name)
      const it = await stand()
      const { endpoint, part } = field
      const value = part === 'query' ? text.slice(0, 1500).toWellFormed() : text
      const { params, query, body } = inRoom(callWith(field, value), it)
      const head = { method: endpoint.method, target: urlOf(endpoint, { params, query }) }
      statusOf(await askService(it, head, JSON.stringify(body)))
    },
  }),
  target({
    name: 'brackets',
    input: fc.record({
      text: hostileText(MAX_BODY),
      asQuery: fc.boolean(),
      wrapped: fc.constantFrom('', 'a', 'group'),
    }),
    attempt: async ({ text, asQuery, wrapped }, stand) => {
      const it = await stand()
      const form = (wrapped + text).toWellFormed()
      const query = asQuery ? `?${form.replaceAll(/[^!-~]/g, '.').slice(0, MAX_HEAD)}` : ''
      const body = asQuery ? '' : form
      statusOf(await askService(it, { method: 'PUT', target: `/api/v1/users/me${query}` }, body))
      statusOf(await askService(it, { method: 'PUT', target: '/api/v1/users/me' }, JSON.stringify({ [form]: 1 })))
    },
  }),
  target({
    name: 'signature header',
    input: fc.record({
      name: fc.constantFrom('x-api-key', 'x-api-user-token', 'x-api-signature', 'x-api-exp-date'),
      value: fc.oneof(hostileText(8000), hostileNumber).map((text) => text.replaceAll(/[^ -~]/g, '.').trim()),
    }),
    attempt: async ({ name, value }, stand) => {
      const status = statusOf(
        await askService(await stand(), { method: 'GET', target: '/api/v1/users/me', headers: { [name]: value } }),
      )
      if (status !== 401) throw new Error(`answered with ${status}`)
    },
  }),
  target({
    name: 'cookies',
    input: hostileText(MAX_HEAD).map((text) => text.replaceAll(/[^ -~]/g, '.')),
    attempt: async (text, stand) => {
      const it = await stand()
      const { cookie } = it
      const [name = ''] = cookie.split('=')
      for (const value of [text, `${name}=${text}`, `${text}; ${cookie.slice(0, -3)}`]) {
        const answer = await askProxy(it, {
          method: 'GET',
          target: '/api/v1/users/me',
          headers: { Cookie: value.slice(0, MAX_HEAD) },
        })
        if (statusOf(answer) !== 401) throw new Error(`let in: ${value.slice(0, 200)}`)
      }
    },
  }),
  target({
    name: 'range headers',
    input: fc.record({
      range: fc
        .oneof(
          hostileText(8000),
          fc.tuple(hostileNumber, hostileNumber).map(([a, b]) => `bytes=${a}-${b}`),
        )
        .map((text) => text.replaceAll(/[^ -~]/g, '.')),
      condition: fc.option(hostileText(500).map((text) => text.replaceAll(/[^ -~]/g, '.'))),
    }),
    attempt: async ({ range, condition }, stand) => {
      const it = await stand()
      const headers = { Range: range, ...(condition !== null && { 'If-Range': condition }) }
      for (const ask of [askService, askProxy]) {
        const status = statusOf(await ask(it, { method: 'GET', target: it.contentPath, headers }))
        if (![200, 206, 416].includes(status)) throw new Error(`answered with ${status}`)
      }
    },
  }),
  target({
    name: 'paths',
    input: fc.record({
      before: fc.constantFrom(
        '',
        '/',
        '/api/v1',
        '/api/v1/',
        '/api/v1/groups/',
        '/content/',
        '/auth/',
        '/assets/',
        'http://evil.test/',
        '//evil.test/',
      ),
      text: fc.oneof(hostileText(MAX_HEAD), hostileText(100)).map((text) => text.replaceAll(/[^!-~]/g, '%C3%A9')),
      method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'),
    }),
    attempt: async ({ before, text, method }, stand) => {
      const it = await stand()
      for (const ask of [askService, askProxy])
        statusOf(await ask(it, { method, target: (before + text).slice(0, MAX_HEAD) }))
    },
  }),
  target({
    name: 'heads',
    input: fc.array(fc.oneof(hostileText(2000), hostileText(20)), { maxLength: 30 }),
    attempt: async (lines, stand) => {
      const { service, proxy } = await stand()
      for (const { url } of [service, proxy]) {
        const head = `GET /healthz HTTP/1.1\r\nHost: ${new URL(url).host}\r\nConnection: close\r\n${lines.map((line) => `X: ${line}`).join('\r\n')}\r\n\r\n`
        statusOf(await sendBytes(url, Buffer.from(head)))
      }
    },
  }),
  target({
    name: 'numbers',
    input: fc.record({ field: aField, number: hostileNumber, asText: fc.boolean() }),
    shortRun: 150,
    attempt: async ({ field: name, number, asText }, stand) => {
      const field = fieldOf(name)
      const it = await stand()
      const { params, query, body } = inRoom(callWith(field, '?number?'), it)
      const place = urlOf(field.endpoint, { params, query }).replaceAll('%3Fnumber%3F', encode(number))
      const isJson = !asText && /^-?\d+(\.\d+)?([eE]-?\d+)?$/.test(number) && !/^-?0\d/.test(number)
      const json = JSON.stringify(body).replaceAll('"?number?"', isJson ? number : JSON.stringify(number))
      statusOf(await askService(it, { method: field.endpoint.method, target: place }, json))
    },
  }),
]
