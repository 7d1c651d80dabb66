import type * as fc from 'fast-check'
import type { Stand } from './stand.ts'

/**
 * What can be fuzzed. To add a target, export it from a file in `targets/`, in an array as the default:
 *
 *     export default [target({ name: 'zip writer', input: fc.array(entry), attempt: async (entries) => { … } })]
 *
 * `attempt` throws where the product misbehaves. It fails too when the event loop was blocked for more than 50 ms, of the
 * service or the proxy where the target asks for the stand, and of this process where it says `inProcess`.
 */
export interface Target<Input = unknown> {
  name: string
  /** Fuzzed values, from which fast-check takes some by the seed, and which it makes smaller when one fails. */
  input: fc.Arbitrary<Input>
  /** Calls `stand()` to get a real service and proxy; they are started once for all targets. */
  attempt(input: Input, stand: () => Promise<Stand>): Promise<void>
  /** The code under test runs in this very process. */
  inProcess?: boolean
  /** Inputs in the short run that belongs to the tests; 40 unless told. */
  shortRun?: number
}

/** Lets the types of `input` and `attempt` agree. */
export const target = <Input>(one: Target<Input>): Target => one as Target
