import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { hasEnded, processName } from './process-name.ts'

const child = (pid: number | undefined, start = '1') => processName().replace(/-\d+-\d+$/, `-${pid}-${start}`)

test.skipIf(!existsSync('/proc/self/stat'))('F5: a process has ended if its id or its start time is gone', async () => {
  expect(hasEnded(processName())).toBe(false)
  const other = spawn(process.execPath, ['-e', ''])
  await once(other, 'exit')
  expect(hasEnded(child(other.pid))).toBe(true)
  // The id of an ended process was given to another process.
  expect(hasEnded(child(process.pid))).toBe(true)
})

test('F5: a process of another table, in another format or without a start time never counts as ended', () => {
  const elsewhere = processName().replace(/^[0-9a-f]{8}/, '00000000')
  for (const name of [elsewhere, 'host~1~', '', child(1, '0')]) expect(hasEnded(name)).toBe(false)
})
