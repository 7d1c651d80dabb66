import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLog } from './log.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'log-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

const linesOf = async (name: string) =>
  (await readFile(join(dataDir, 'logs', name), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

test('a line has time, level, process and request id', async () => {
  openLog({ process: 'proxy', dataDir }).warn({ request_id: 'abc' }, 'something')
  const [line] = await linesOf('proxy.log')
  expect(line).toMatchObject({ level: 'warn', process: 'proxy', pid: process.pid, request_id: 'abc', msg: 'something' })
  expect(Date.parse(String(line?.['time']))).toBeGreaterThan(Date.now() - 60_000)
  expect((await stat(join(dataDir, 'logs'))).mode & 0o777).toBe(0o700)
  expect((await stat(join(dataDir, 'logs/proxy.log'))).mode & 0o777).toBe(0o600)
})

test('A11: no credential in an error, a text or a field is logged', async () => {
  const hex = (length: number) => 'ab12'.repeat(length / 4)
  const secrets = [hex(40), hex(64), 'sesame', 'Zm9vYmFyYmF6', 'topsecret', 'pa55word']
  const error = Object.assign(new Error(`GET /content/${secrets[3]}?x=${secrets[2]} with ${hex(40)}`), {
    headers: { 'x-api-signature': `Method=HMAC-SHA256 Signature=${hex(64)}` },
    detail: 'Key (token)=(sesame) already exists.',
    cause: new Error('postgresql://user:pa55word@host/db refused'),
  })
  const log = openLog({ process: 'service', dataDir })
  log.error(
    { err: error, req: { url: '/content/Zm9vYmFyYmF6' } },
    `cookie __Host-strongroom=${secrets[4]}; Signature=${hex(64)}`,
  )
  log.child({ request_id: 'r1' }).error(`${secrets[0]}`)
  const text = await readFile(join(dataDir, 'logs/service.log'), 'utf8')
  for (const secret of secrets) expect(text).not.toContain(secret)
  expect(text).toContain('"request_id":"r1"')
  expect(text).toContain('log.test.ts')
})

test('a log keeps a bounded number of files of bounded size, and continues after it was removed', async () => {
  const log = openLog({ process: 'worker', dataDir })
  const words = 'x'.repeat(15_000)
  for (let line = 0; line < 4500; line++) log.info(words)
  const names = (await readdir(join(dataDir, 'logs'))).toSorted()
  expect(names).toEqual(['worker.log', 'worker.log.1', 'worker.log.2', 'worker.log.3', 'worker.log.4'])
  for (const name of names) {
    expect((await stat(join(dataDir, 'logs', name))).size).toBeLessThan(11 * 1024 ** 2)
  }
  await rm(join(dataDir, 'logs'), { recursive: true })
  expect(() => log.info('still here')).not.toThrow()
})

test('a log that cannot be written does not stop the process', () => {
  const log = openLog({ process: 'service', dataDir: '/dev/null' })
  expect(() => log.error('nowhere')).not.toThrow()
})
