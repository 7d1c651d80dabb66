import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { childEnvironment } from './child-environment.ts'

test('K1: a child process inherits nothing from a polluted prototype', () => {
  const polluted = Object.prototype as { STRAY?: string }
  Object.defineProperty(polluted, 'STRAY', { value: 'x', enumerable: true, writable: true, configurable: true })
  try {
    const script = 'process.stdout.write(JSON.stringify(process.env))'
    const { stdout } = spawnSync(process.execPath, ['-e', script], { env: childEnvironment({ OWN: '1' }) })
    expect(JSON.parse(stdout.toString())).toEqual({ OWN: '1' })
  } finally {
    delete polluted.STRAY
  }
})
