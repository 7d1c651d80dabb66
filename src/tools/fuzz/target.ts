import type * as fc from 'fast-check'
import type { Stand } from './stand.ts'

/**
 * Code that can be fuzzed. To add a target, export it in an array, as the default export of a file in `targets/`:
 *
 *     export default [target({ name: 'zip writer', input: fc.array(entry), attempt: async (entries) => { … } })]
 *
 * `attempt` throws where the product misbehaves. The run also fails when an event loop is blocked for more than 50 ms:
 * that of the service or proxy once a target has asked for the stand, and that of this process where `inProcess` is
 * set.
 */
export interface Target<Input = unknown> {
  name: string
  /** Values to fuzz with: fast-check chooses them by the seed and shrinks one that fails. */
  input: fc.Arbitrary<Input>
  /** Calls `stand()` to get a real service and proxy; they are started once for all targets. */
  attempt(input: Input, stand: () => Promise<Stand>): Promise<void>
  /** The code under test runs in this process. */
  inProcess?: boolean
  /** Number of inputs in the short run of the tests; 40 by default. */
  shortRun?: number
}

/** Lets the types of `input` and `attempt` agree. */
export const target = <Input>(one: Target<Input>): Target => one as Target
