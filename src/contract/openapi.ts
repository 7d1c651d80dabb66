import type * as z from 'zod/mini'
import type { AnyEndpoint } from './endpoint.ts'
import { exampleOf } from './example.ts'
import { api } from './index.ts'
import { inputSchema, type JsonSchema, outputSchemas } from './json-schema.ts'
import { namedSchemas } from './schemas.ts'
import { API_PREFIX } from './url.ts'

export interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  schema: JsonSchema
  example: unknown
  style?: 'deepObject'
  explode?: true
}

type Content = Record<string, { schema?: JsonSchema; example?: unknown }>
type ReplyObject = { description: string; content?: Content } | { $ref: string }

export interface Operation {
  operationId: string
  tags: [string]
  summary: string
  description: string
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, ReplyObject>
}

export interface OpenApiDocument {
  openapi: '3.1.1'
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  security: Record<string, []>[]
  tags: { name: string }[]
  /** Path -> method in lower case -> operation. */
  paths: Record<string, Record<string, Operation>>
  components: {
    securitySchemes: Record<string, { type: 'apiKey'; in: 'header'; name: string; description: string }>
    responses: Record<
      string,
      { description: string; headers?: Record<string, { schema: JsonSchema }>; content: Content }
    >
    schemas: Record<string, JsonSchema>
  }
}

const HEADERS = {
  apiKey: ['x-api-key', 'The public key of the organization, or of a personal API key'],
  userToken: ['x-api-user-token', 'The token of the user who calls'],
  signature: [
    'x-api-signature',
    '`Method=HMAC-SHA256 Signature=` and the lower-case hex HMAC-SHA256, by the secret key, of public key, user token ' +
      'and expiry, in this order and without separators',
  ],
  expiry: ['x-api-exp-date', 'Unix seconds, UTC: in the future, at most 3600 ahead'],
} as const

/** Status -> name and meaning (decisions, section 1). */
const FAILURES: Record<number, [name: string, meaning: string]> = {
  400: ['Malformed', 'A parameter is missing or malformed'],
  401: ['Unauthenticated', 'The signature is missing, wrong or expired, or the key or token is unknown'],
  403: ['Forbidden', 'The caller may know of it but not do it'],
  404: ['NotFound', 'It does not exist, or the caller may not know of it'],
  409: ['Conflict', 'The present state does not allow it'],
  413: ['TooLarge', 'The file is too large'],
  422: ['Unacceptable', 'A value cannot be accepted'],
  429: ['TooMany', 'Too many requests: try again after the seconds that `Retry-After` says'],
}

const refOf = (name: string) => `#/components/schemas/${name}`

interface Named {
  section: string
  key: string
  endpoint: AnyEndpoint
}

export function openApi(): OpenApiDocument {
  const endpoints = Object.entries(api).flatMap(([section, each]) =>
    Object.entries(each).map(([key, endpoint]): Named => ({ section, key, endpoint })),
  )
  const schemas = outputSchemas(new Map([...anonymousReplies(endpoints), ...namedSchemas]), refOf)
  const paths: OpenApiDocument['paths'] = {}
  for (const each of endpoints) {
    const path = (paths[each.endpoint.path] ??= {})
    path[each.endpoint.method.toLowerCase()] = operationOf(each, schemas)
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Strongroom API',
      version: '1.0.0',
      description: 'Secure document sharing: workspaces with folders and files, groups with rights, and a full record.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: API_PREFIX }],
    security: [Object.fromEntries(Object.keys(HEADERS).map((name) => [name, []]))],
    tags: Object.keys(api).map((section) => ({ name: tagOf(section) })),
    paths,
    components: {
      securitySchemes: Object.fromEntries(
        Object.entries(HEADERS).map(([key, [name, description]]) => [
          key,
          { type: 'apiKey', in: 'header', name, description },
        ]),
      ),
      responses: Object.fromEntries(
        Object.entries(FAILURES).map(([status, [name, meaning]]) => [name, failure(meaning, status === '429')]),
      ),
      schemas: Object.fromEntries([...namedSchemas.keys()].map((name) => [name, schemas.get(name) ?? {}])),
    },
  }
}

const failure = (description: string, tellsWhenToRetry: boolean) => ({
  description,
  ...(tellsWhenToRetry && { headers: { 'Retry-After': { schema: { type: 'integer', minimum: 1 } } } }),
  content: { 'application/json': { schema: { $ref: refOf('ErrorReply') } } },
})

const idOf = ({ section, key }: Named) => `${section}_${key}`

/** Turns the name of a section into words: `apiKeys` becomes `API keys`. */
export function tagOf(section: string): string {
  const words = section.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/\bapi\b/, 'API')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function anonymousReplies(endpoints: Named[]): [string, z.ZodMiniType][] {
  const known = new Set(namedSchemas.values())
  return endpoints.flatMap((each) => {
    const { reply } = each.endpoint
    return reply && !known.has(reply) ? [[idOf(each), reply] as [string, z.ZodMiniType]] : []
  })
}

function operationOf(named: Named, schemas: Map<string, JsonSchema>): Operation {
  const { endpoint } = named
  const body = bodyOf(endpoint)
  return {
    operationId: idOf(named),
    tags: [tagOf(named.section)],
    summary: endpoint.summary,
    description: scopeSentence(endpoint.scope),
    parameters: [...parametersIn('path', endpoint.params), ...parametersIn('query', endpoint.query)],
    ...(body && { requestBody: body }),
    responses: { [endpoint.success]: successOf(named, schemas), ...failuresOf(endpoint, body !== undefined) },
  }
}

function scopeSentence(scope: AnyEndpoint['scope']): string {
  if (scope === undefined) return 'Closed to personal API keys.'
  return scope === 'any' ? 'Open to any personal API key.' : `Personal API keys need the scope \`${scope}\`.`
}

function parametersIn(place: 'path' | 'query', shape: z.ZodMiniType): Parameter[] {
  const { properties = {}, required = [] } = inputSchema(shape)
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema,
    example: exampleOf(schema, name),
    // `user[id]=5`
    ...(schema.type === 'object' && { style: 'deepObject', explode: true }),
  }))
}

function bodyOf(endpoint: AnyEndpoint): Operation['requestBody'] {
  if (endpoint.raw) return { required: true, content: { 'application/octet-stream': {} } }
  const schema = inputSchema(endpoint.body)
  if (Object.keys(schema.properties ?? {}).length === 0) return undefined
  const required = (schema.required ?? []).length > 0
  return { required, content: { 'application/json': { schema, example: exampleOf(schema) } } }
}

function successOf(named: Named, schemas: Map<string, JsonSchema>): ReplyObject {
  const { endpoint } = named
  const { reply } = endpoint
  if (!reply) return { description: 'Done' }
  const name = [...namedSchemas].find(([, schema]) => schema === reply)?.[0]
  const schema = name ? { $ref: refOf(name) } : schemas.get(idOf(named))
  // For JSON lines and events, the schema describes one element.
  const stream = endpoint.jsonLines ? 'application/x-ndjson' : endpoint.eventStream && 'text/event-stream'
  if (stream) return { description: 'Done', content: { [stream]: { schema: schema?.items ?? {} } } }
  return { description: 'Done', content: { 'application/json': { schema: schema ?? {} } } }
}

function failuresOf({ method, params, query, raw }: AnyEndpoint, hasBody: boolean): Record<string, ReplyObject> {
  const takesInput = hasBody || [params, query].some(({ shape }) => Object.keys(shape).length > 0)
  const statuses = [401, 403, 429]
  if (takesInput) statuses.push(400, 404, 422)
  if (method !== 'GET' || raw) statuses.push(409)
  if (raw) statuses.push(413)
  return Object.fromEntries(
    statuses.sort().map((status) => [status, { $ref: `#/components/responses/${FAILURES[status]?.[0]}` }]),
  )
}
