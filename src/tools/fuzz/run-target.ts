import fc from 'fast-check'
import { openStand, type Stand } from './stand.ts'
import type { Target } from './target.ts'
import { longestBlock } from './longest-block.ts'

/** A request may block the event loop of service or proxy for no longer than this. */
export const MAX_BLOCK_MS = 50
/** A block counts when the same input blocks every time: compilation and garbage collection do not recur. */
const REPEATS = 4

export interface Bounds {
  seed: number
  inputs?: number
  seconds?: number
}

export interface Outcome {
  tried: number
  /** Longest block of an event loop by any input tried, in milliseconds. */
  longestMs: number
  failure: string | undefined
}

export interface Fuzzer {
  run(target: Target, bounds: Bounds): Promise<Outcome>
  close(): Promise<void>
}

export function createFuzzer(): Fuzzer {
  let opened: Promise<Stand> | undefined
  const stand = () => (opened ??= openStand())

  async function blockOf(target: Target): Promise<number> {
    const it = opened && (await opened)
    const blocks = it ? await Promise.all([it.service.longestBlock(), it.proxy.longestBlock()]) : []
    return Math.max(target.inProcess ? longestBlock() : 0, ...blocks)
  }

  async function attempt(target: Target, input: unknown): Promise<number> {
    await blockOf(target)
    await target.attempt(input, stand)
    return blockOf(target)
  }

  return {
    async run(target, { seed, inputs, seconds }) {
      let tried = 0
      let longestMs = 0
      const property = fc.asyncProperty(target.input, async (input) => {
        tried++
        let block = await attempt(target, input)
        for (let again = 1; again < REPEATS && block > MAX_BLOCK_MS; again++) {
          block = Math.min(block, await attempt(target, input))
        }
        longestMs = Math.max(longestMs, block)
        if (block > MAX_BLOCK_MS) throw new Error(`An event loop was blocked for ${block.toFixed(0)} ms.`)
      })
      // The first input starts the processes that the target needs; their start does not count as its time.
      if (seconds !== undefined) await fc.check(property, { seed, numRuns: 1 })
      const details = await fc.check(property, {
        seed,
        numRuns: inputs ?? Number.MAX_SAFE_INTEGER,
        ...(seconds !== undefined && { interruptAfterTimeLimit: seconds * 1000 }),
      })
      return { tried, longestMs, failure: details.counterexample === null ? undefined : describe(details) }
    },
    async close() {
      await (await opened)?.close()
    },
  }
}

function describe({ errorInstance, counterexample, counterexamplePath, seed }: fc.RunDetails<[unknown]>): string {
  const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  return `${why}\nseed ${seed}, path ${counterexamplePath}, input ${fc.stringify(counterexample?.[0]).slice(0, 2000)}`
}
