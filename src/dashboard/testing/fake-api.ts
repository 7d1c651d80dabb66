import * as z from 'zod/mini'
import type { AnyEndpoint, Input, Reply } from '../../contract/endpoint.ts'
import { SHOWN_REFUSALS } from '../../contract/refusals.ts'
import { API_PREFIX, pathPattern } from '../../contract/url.ts'
import { ApiFailure } from '../api/failures.ts'
import type { Me, Session } from '../api/session.ts'

type Answer<E extends AnyEndpoint> = Reply<E> | ((input: Input<E>) => Reply<E> | Promise<Reply<E>>)

interface Route {
  method: string
  pattern: RegExp
  answer: (url: URL, body: unknown) => Promise<Response>
}

export interface FakeApi {
  /** Sets the reply of an endpoint, or the `ApiFailure` that it throws; a later reply replaces an earlier one. */
  on: <E extends AnyEndpoint>(endpoint: E, answer: Answer<E>) => FakeApi
  fail: (endpoint: AnyEndpoint, code: number, message: string) => FakeApi
  /** Sets the reply of a path of the proxy, such as `/auth/code`. */
  raw: (method: string, path: string, answer: (body: unknown) => { status: number; body?: unknown }) => FakeApi
  session: (session: Partial<Session>) => FakeApi
  /** The calls in order, such as "PUT /api/v1/groups/5/drm". */
  calls: string[]
}

/** Stands in for the proxy in component tests: answers `fetch`, with 404 for calls that no test prepared. */
export function fakeApi(): FakeApi {
  const routes: Route[] = []
  const calls: string[] = []
  globalThis.fetch = (target, init) => answerFrom(routes, calls, target, init)
  const api: FakeApi = {
    calls,
    on: (endpoint, answer) => add(endpoint.method, API_PREFIX + endpoint.path, answering(endpoint, answer)),
    fail: (endpoint, code, message) =>
      add(endpoint.method, API_PREFIX + endpoint.path, async () => reply(code, failure(code, message))),
    raw: (method, path, answer) =>
      add(method, path, async (_url, body) => {
        const given = answer(body)
        return reply(given.status, given.body)
      }),
    session: (session) => api.raw('GET', '/auth/session', () => ({ status: 200, body: { ...signedOut, ...session } })),
  }
  function add(method: string, path: string, answer: Route['answer']) {
    routes.unshift({ method, pattern: pathPattern(path), answer })
    return api
  }
  return api.session({ user: alice })
}

async function answerFrom(routes: Route[], calls: string[], target: unknown, init: RequestInit | undefined) {
  const url = new URL(String(target), 'http://localhost')
  const method = init?.method ?? 'GET'
  calls.push(`${method} ${url.pathname}${url.search}`)
  const route = routes.find((route) => route.method === method && route.pattern.test(url.pathname))
  if (!route) return reply(404, failure(404, `No test prepared ${method} ${url.pathname}`))
  return route.answer(url, typeof init?.body === 'string' ? JSON.parse(init.body) : undefined)
}

function answering<E extends AnyEndpoint>(endpoint: E, answer: Answer<E>): Route['answer'] {
  return async (url, body) => {
    const send = (value: unknown) => (endpoint.jsonLines ? lines(value) : reply(endpoint.success, value))
    if (typeof answer !== 'function') return send(answer)
    const input = {
      params: read(endpoint.params, paramsOf(endpoint.path, url.pathname)),
      query: read(endpoint.query, queryOf(url.searchParams)),
      body: body ?? {},
    } as Input<E>
    try {
      return send(await (answer as (input: Input<E>) => unknown)(input))
    } catch (error) {
      if (error instanceof ApiFailure) return reply(error.code, failure(error.code, error.message))
      throw error
    }
  }
}

function paramsOf(path: string, pathname: string) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  const values = new RegExp(`^${API_PREFIX}${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(pathname)?.slice(1) ?? []
  return Object.fromEntries(names.map((name, index) => [name, values[index]]))
}

/** Reads `x[]=1&x[]=2` as a list. */
function queryOf(search: URLSearchParams) {
  const names = [...new Set(search.keys())]
  return Object.fromEntries(
    names.map((name) => (name.endsWith('[]') ? [name.slice(0, -2), search.getAll(name)] : [name, search.get(name)])),
  )
}

/** Reads the texts of an address by the schema, with numbers converted first. */
function read(schema: AnyEndpoint['query'], texts: Record<string, unknown>) {
  const numberOf = (text: unknown) => (/^\d+$/.test(String(text)) ? Number(text) : text)
  const numbers = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, Array.isArray(text) ? text.map(numberOf) : numberOf(text)]),
  )
  const parsed = z.safeParse(schema, numbers)
  return parsed.success ? parsed.data : texts
}

function reply(status: number, body: unknown): Response {
  return new Response(body === undefined || status === 204 ? null : JSON.stringify(body), { status })
}

function lines(elements: unknown): Response {
  return new Response((elements as unknown[]).map((each) => `${JSON.stringify(each)}\n`).join(''))
}

/** A refusal whose sentence has no parameters carries its reason, as the service sends it. */
function failure(code: number, message: string) {
  const reason = Object.entries(SHOWN_REFUSALS).find(([, { sentence }]) => sentence === message)?.[0]
  return { error: { code, message, ...(reason && { reason }), request_id: 'req-test' } }
}

const signedOut: Session = { user: null, demo_people: [], oidc: null }

export const alice: Me = {
  id: 1,
  first_name: 'Alice',
  last_name: 'Adams',
  email: 'alice@example.com',
  time_zone: 'UTC',
  jti: '',
  user_token: '',
  status: 'active',
  organization_admin: false,
  pending_email: null,
  company: '',
  title: '',
  profile_due: false,
  installation_admin: false,
  created_at: '2026-01-05T08:00:00.000Z',
  updated_at: '2026-01-05T08:00:00.000Z',
}
