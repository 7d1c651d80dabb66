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
  const declared = shapeOf(body) ?? {}
  const objects = Object.entries(declared).flatMap(([name, schema]) => {
    const inner = shapeOf(schema)
    return inner ? [[name, inner] as const] : []
  })
  if (objects.length === 0) return sent
  const complete = Object.assign(emptyParameters(), sent)
  for (const [name, inner] of objects) {
    const given = sent[name] ?? undefined
    if (given !== undefined && !isNode(given)) continue
    takeAbsent(complete, given, Object.keys(declared))
    const object = Object.assign(emptyParameters(), given)
    takeAbsent(
      object,
      sent,
      Object.keys(inner).filter((each) => !(each in declared)),
    )
    if (given || Object.keys(object).length > 0) complete[name] = object
  }
  return complete
}

function takeAbsent(into: Parameters, from: Parameters | undefined, names: string[]): void {
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
