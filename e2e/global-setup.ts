import { startEngines } from './engines.ts'
import { startStack } from './stack.ts'

/** Starts one stack for the whole run and passes it to the workers in E2E_STACK. */
export default async function setup(): Promise<() => Promise<void>> {
  const engines = await startEngines()
  const { stop, ...stack } = await startStack({ env: engines.env }).catch(async (error: unknown) => {
    await engines.stop()
    throw error
  })
  process.env['E2E_STACK'] = JSON.stringify(stack)
  return async () => {
    await stop()
    await engines.stop()
  }
}
