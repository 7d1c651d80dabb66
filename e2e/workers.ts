import { availableParallelism } from 'node:os'
import type { Stack } from './stack.ts'

/** The engines that the environment may ask for carry one stack only. */
const ENGINES = ['TEST_DATABASE', 'TEST_DATABASE_URL', 'TEST_BLOB_URL']

/** How many test files run at a time. The journeys of a file share one organization, those of two workers do not. */
export const WORKERS = ENGINES.some((name) => process.env[name]) ? 1 : Math.min(2, availableParallelism())

/** The stack of this worker. Undefined before global-setup.ts has started it. */
export function stackOfWorker(): Omit<Stack, 'stop'> | undefined {
  const stacks = JSON.parse(process.env['E2E_STACKS'] ?? '[]') as Omit<Stack, 'stop'>[]
  return stacks[Number(process.env['TEST_PARALLEL_INDEX'] ?? 0)]
}
