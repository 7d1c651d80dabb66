import { startEngines } from './engines.ts'
import { startStack } from './stack.ts'
import { WORKERS } from './workers.ts'

/** Starts a stack for each worker and passes them in E2E_STACKS, and the address of a database that is not embedded. */
export default async function setup(): Promise<() => Promise<void>> {
  await using ends = new AsyncDisposableStack()
  const engines = await startEngines()
  ends.defer(() => engines.stop())
  // The stack trusts a front server on this machine, so that each person can sign in from an address of their own.
  const env = { ...engines.env, TRUSTED_PROXIES: '127.0.0.1' }
  if (engines.env['DATABASE_DIRECT_URL']) process.env['E2E_DATABASE_URL'] = engines.env['DATABASE_DIRECT_URL']
  const stacks = []
  for (let count = 0; count < WORKERS; count++) {
    const { stop, ...stack } = await startStack({ env })
    ends.defer(stop)
    stacks.push(stack)
  }
  process.env['E2E_STACKS'] = JSON.stringify(stacks)
  const started = ends.move()
  return () => started.disposeAsync()
}
