import * as z from 'zod/mini'
import { INT32_MAX } from './read-id.ts'

export interface JsonSchema {
  $ref?: string
  type?: string
  format?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: (string | number)[]
  const?: string | number
  default?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
  oneOf?: JsonSchema[]
  additionalProperties?: JsonSchema | false
}

export function inputSchema(schema: z.ZodMiniType): JsonSchema {
  return standalone(z.toJSONSchema(schema, { io: 'input', override: simplify }))
}

/** Returns a reply schema for each name. A schema that contains another named one refers to `refOf(name)`. */
export function outputSchemas(
  named: ReadonlyMap<string, z.ZodMiniType>,
  refOf: (name: string) => string,
): Map<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of named) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { io: 'output', uri: refOf, override: simplify })
  return new Map(Object.entries(schemas).map(([name, schema]) => [name, standalone(schema)]))
}

/** Keeps references to named schemas only: the recursive schema is `z.json()`, which becomes any value. */
function standalone(schema: object): JsonSchema {
  const { $schema: _, $id: __, $defs: ___, ...rest } = schema as Record<string, unknown>
  const anyForRecursive = (__: string, value: unknown) => (isRecursive(value) ? {} : value)
  return JSON.parse(JSON.stringify(rest), anyForRecursive) as JsonSchema
}

const isRecursive = (value: unknown) =>
  typeof value === 'object' && value !== null && '$ref' in value && String(value.$ref).includes('/$defs/')

/** Replaces zod's verbose output by short JSON Schema: bounds of integers, patterns of known formats, choices. */
function simplify({ jsonSchema }: { jsonSchema: object }): void {
  const schema = jsonSchema as JsonSchema
  // New fields may be added at any time, and a client must not reject them.
  if (schema.additionalProperties === false) delete schema.additionalProperties
  if (schema.format) delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.maximum === INT32_MAX) {
    delete schema.maximum
    schema.format = 'int32'
  }
  const choices = schema.anyOf?.map((option) => option.const)
  if (choices?.every((choice) => typeof choice === 'number')) {
    delete schema.anyOf
    Object.assign(schema, { type: 'integer', enum: choices })
  }
}
