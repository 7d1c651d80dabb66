import { startStack } from './stack.ts'

/** One stack for the whole run; the workers find it in E2E_STACK. */
export default async function setup(): Promise<() => Promise<void>> {
  const { stop, ...stack } = await startStack()
  process.env['E2E_STACK'] = JSON.stringify(stack)
  return stop
}
