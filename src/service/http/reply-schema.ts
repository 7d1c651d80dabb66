import * as z from 'zod'
import type * as core from 'zod/v4/core'

export interface JsonSchema {
  [key: string]: unknown
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
}

/**
 * The JSON schema that serializes a reply: undeclared fields are stripped. Nullable fields become `type: [x, 'null']`,
 * which the serializer writes without validating each value against alternatives.
 */
export function replySchema(reply: core.$ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(reply, { target: 'draft-7', io: 'output' })
  return flattenNullable(schema) as JsonSchema
}

function flattenNullable(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(flattenNullable)
  if (typeof node !== 'object' || node === null) return node
  const schema = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, flattenNullable(value)]))
  const options = schema['anyOf'] as JsonSchema[] | undefined
  const plain = options?.find((option) => option['type'] !== 'null')
  const isNullable = options?.length === 2 && options.some((option) => option['type'] === 'null')
  return isNullable && typeof plain?.['type'] === 'string' ? { ...plain, type: [plain['type'], 'null'] } : schema
}
