import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { AnyEndpoint } from './endpoint.ts'
import { exampleOf } from './example.ts'
import { api } from './index.ts'
import { inputSchema } from './json-schema.ts'
import { openApi } from './openapi.ts'

const document = openApi()
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, operation })),
)
const endpoints = Object.entries(api).flatMap(([section, each]) =>
  Object.entries(each).map(([key, endpoint]) => ({ name: `${section}.${key}`, endpoint: endpoint as AnyEndpoint })),
)

describe('the OpenAPI document', () => {
  it('is valid, and its references resolve', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)) as Record<string, unknown>)
    expect(errors).toBeUndefined()
    expect(valid).toBe(true)
    expect(validator.version).toBe('3.1')
    expect(() => validator.resolveRefs()).not.toThrow()
  })

  it('has every endpoint of the contract', () => {
    expect(operations.map(({ name }) => name).sort()).toEqual(
      endpoints.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`).sort(),
    )
  })

  it('names each operation once', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('requires all four headers on every call', () => {
    const names = Object.values(document.components.securitySchemes).map(({ name }) => name)
    expect(names).toEqual(['x-api-key', 'x-api-user-token', 'x-api-signature', 'x-api-exp-date'])
    expect(document.security.map((all) => Object.keys(all))).toEqual([Object.keys(document.components.securitySchemes)])
  })

  it('declares 429 with Retry-After on every call', () => {
    expect(operations.filter(({ operation }) => !('429' in operation.responses))).toEqual([])
    expect(Object.keys(document.components.responses['TooMany']?.headers ?? {})).toEqual(['Retry-After'])
  })

  it('refers to named objects that may get new fields', () => {
    const list = document.paths['/groups']?.['get']
    expect(list?.responses['200']).toEqual({
      description: 'Done',
      content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/GroupInfo' } } } },
    })
    expect(JSON.stringify(document).includes('"additionalProperties":false')).toBe(false)
  })

  it('describes the reason of a failure and the rule of each detail', () => {
    const error = document.components.schemas['ErrorReply']?.properties?.['error']
    expect(Object.keys(error?.properties ?? {})).toEqual(
      expect.arrayContaining(['code', 'message', 'reason', 'params', 'details']),
    )
    const detail = error?.properties?.['details']?.items
    expect(Object.keys(detail?.properties ?? {})).toEqual(['field', 'message', 'rule', 'params'])
    expect(detail?.required).toEqual(['field', 'message'])
  })

  it('declares the file of an upload as the raw body', () => {
    const upload = document.paths['/files/upload']?.['put']
    expect(Object.keys(upload?.requestBody?.content ?? {})).toEqual(['application/octet-stream'])
    expect(new Set(upload?.parameters.map((each) => each.in))).toEqual(new Set(['query']))
  })

  it.each(operations)('$name declares the parameters of its path', ({ path, operation }) => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const declared = operation.parameters.filter((each) => each.in === 'path')
    expect(declared.map(({ name }) => name)).toEqual(inPath)
    expect(declared.every(({ required }) => required)).toBe(true)
  })
})

describe('its examples', () => {
  it.each(endpoints)('of $name are accepted', ({ endpoint }) => {
    for (const part of [endpoint.params, endpoint.query, endpoint.body]) {
      expect(() => z.parse(part, exampleOf(inputSchema(part)))).not.toThrow()
    }
  })
})
