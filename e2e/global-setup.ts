import { startEngines } from './engines.ts'
import { startStack } from './stack.ts'

/** Starts one stack for the whole run and passes it to the workers in E2E_STACK. */
export default async function setup(): Promise<() => Promise<void>> {
  const engines = await startEngines()
  // As behind a load balancer on this machine, so that each person can sign in from an address of their own.
  const env = { ...engines.env, TRUSTED_PROXIES: '127.0.0.1' }
  const { stop, ...stack } = await startStack({ env }).catch(async (error: unknown) => {
    await engines.stop()
    throw error
  })
  process.env['E2E_STACK'] = JSON.stringify(stack)
  return async () => {
    await stop()
    await engines.stop()
  }
}
