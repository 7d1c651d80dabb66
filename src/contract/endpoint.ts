import * as z from 'zod/mini'
import type { Scope } from './scopes.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Shape = Record<string, z.ZodMiniType>

export interface EndpointSpec<P extends Shape, Q extends Shape, B extends Shape, R extends z.ZodMiniType> {
  method: Method
  /** Below `/api/v1`; path parameters in braces: `/groups/{id}`. */
  path: string
  /** One sentence for the reference page. */
  summary: string
  /** Scope that a personal API key needs; `any` admits every valid key. Without one, personal keys are refused. */
  scope?: Scope | 'any'
  params?: P
  query?: Q
  body?: B
  success: 200 | 201 | 204
  /** Absent where the reply has no body. */
  reply?: R
  /** A call that changes nothing, although its method is not GET: it runs without a transaction. */
  reads?: true
  /** The request body is the file itself and is never parsed; parameters come in the query only. */
  raw?: true
  /** The reply is a list sent as JSON lines (application/x-ndjson), one element on each line. */
  jsonLines?: true
  /** The reply is a list sent as server-sent events (text/event-stream), one element each, as they happen. */
  eventStream?: true
}

export interface Endpoint<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends Shape = Shape,
  R extends z.ZodMiniType = z.ZodMiniType,
> {
  method: Method
  path: string
  summary: string
  scope: Scope | 'any' | undefined
  params: z.ZodMiniObject<P>
  query: z.ZodMiniObject<Q>
  body: z.ZodMiniObject<B>
  success: 200 | 201 | 204
  reply: R | undefined
  reads: boolean
  raw: boolean
  jsonLines: boolean
  eventStream: boolean
}

/** An endpoint as data: service, clients, query keys and documentation derive from it. */
export function endpoint<
  P extends Shape = Record<never, never>,
  Q extends Shape = Record<never, never>,
  B extends Shape = Record<never, never>,
  R extends z.ZodMiniType = z.ZodMiniVoid,
>(spec: EndpointSpec<P, Q, B, R>): Endpoint<P, Q, B, R> {
  return {
    method: spec.method,
    path: spec.path,
    summary: spec.summary,
    scope: spec.scope,
    // An absent shape means the empty shape, as in the defaults of P, Q and B.
    params: z.object(spec.params ?? ({} as P)),
    query: z.object(spec.query ?? ({} as Q)),
    body: z.object(spec.body ?? ({} as B)),
    success: spec.success,
    reply: spec.reply,
    reads: spec.reads ?? false,
    raw: spec.raw ?? false,
    jsonLines: spec.jsonLines ?? false,
    eventStream: spec.eventStream ?? false,
  }
}

export type AnyEndpoint = Endpoint<any, any, any, any> // oxlint-disable-line no-explicit-any -- variance: any endpoint at all

type PartOf<K extends string, S extends z.ZodMiniType> = keyof z.input<S> extends never
  ? { [key in K]?: undefined }
  : Record<never, never> extends z.input<S>
    ? { [key in K]?: z.input<S> }
    : { [key in K]: z.input<S> }

/** Input that a client passes: `{params, query, body}`, each only where the endpoint has one. */
export type Call<E extends AnyEndpoint> = PartOf<'params', E['params']> &
  PartOf<'query', E['query']> &
  PartOf<'body', E['body']>

/** The parts that a call of any endpoint may have, for code that does not know the endpoint's types. */
export interface CallParts {
  params?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
  body?: Record<string, unknown> | undefined
}

/** Input that a handler receives: the same parts, parsed, with defaults filled in. */
export type Input<E extends AnyEndpoint> = {
  params: z.output<E['params']>
  query: z.output<E['query']>
  body: z.output<E['body']>
}

export type Reply<E extends AnyEndpoint> =
  NonNullable<E['reply']> extends z.ZodMiniVoid ? void : z.output<NonNullable<E['reply']>>
