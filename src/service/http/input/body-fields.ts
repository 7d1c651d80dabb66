import type * as z from 'zod/v4/core'
import type { AnyEndpoint } from '../../../contract/endpoint.ts'
import { emptyParameters, isNode, type Parameters } from './brackets.ts'

type Shape = Readonly<Record<string, z.$ZodType>>

/**
 * Completes the sent parameters so that a body field counts both inside its object and beside it (decisions, section
 * 12): `{"team_id": 3, "workspace": {"name": "x"}}` is `{"workspace": {"name": "x", "team_id": 3}}`. A value at the
 * declared place wins.
 */
export function completeBody({ body }: Pick<AnyEndpoint, 'body'>, sent: Parameters): Parameters {
  const { declared, objects } = fieldsOf(body)
  if (objects.length === 0) return sent
  const complete = Object.assign(emptyParameters(), sent)
  for (const { name, fields } of objects) {
    const given = sent[name] ?? undefined
    if (given !== undefined && !isNode(given)) continue
    takeAbsent(complete, given, declared)
    const object = Object.assign(emptyParameters(), given)
    takeAbsent(object, sent, fields)
    if (given || Object.keys(object).length > 0) complete[name] = object
  }
  return complete
}

interface Fields {
  declared: string[]
  /** The fields that are objects, with those of their fields that are not declared beside them. */
  objects: { name: string; fields: string[] }[]
}

const known = new WeakMap<z.$ZodType, Fields>()

function fieldsOf(body: z.$ZodType): Fields {
  const made = known.get(body)
  if (made) return made
  const shape = shapeOf(body) ?? {}
  const objects = Object.entries(shape).flatMap(([name, schema]) => {
    const inner = shapeOf(schema)
    return inner ? [{ name, fields: Object.keys(inner).filter((each) => !(each in shape)) }] : []
  })
  const fields = { declared: Object.keys(shape), objects }
  known.set(body, fields)
  return fields
}

function takeAbsent(into: Parameters, from: Parameters | undefined, names: readonly string[]): void {
  for (const name of names) {
    if (into[name] === undefined && from?.[name] !== undefined) into[name] = from[name]
  }
}

/** The fields of an object schema, also of an optional one; undefined for any other schema. */
function shapeOf(schema: z.$ZodType): Shape | undefined {
  const { def } = (schema as z.$ZodTypes)._zod
  if (def.type === 'optional' || def.type === 'default') return shapeOf(def.innerType)
  return def.type === 'object' ? def.shape : undefined
}
