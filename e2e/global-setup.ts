import { startStack } from './stack.ts'

/** Starts one stack for the whole run and passes it to the workers in E2E_STACK. */
export default async function setup(): Promise<() => Promise<void>> {
  const { stop, ...stack } = await startStack()
  process.env['E2E_STACK'] = JSON.stringify(stack)
  return stop
}
