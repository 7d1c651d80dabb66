import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { awaitTurn, freePort, requireFree } from './ports.ts'

async function occupy(port: number) {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

test('waits for a port that is soon released', async () => {
  const port = await freePort()
  const server = await occupy(port)
  const lines: string[] = []
  const waiting = requireFree(port, '127.0.0.1', (line) => lines.push(line))
  await expect.poll(() => lines).toEqual([`Port ${port} is in use; waiting a moment for it.`])
  server.close()
  await expect(waiting).resolves.toBeUndefined()
})

test('a port that stays in use fails the start', async () => {
  const port = await freePort()
  const server = await occupy(port)
  await expect(requireFree(port, '127.0.0.1', () => {})).rejects.toThrow(`Port ${port} is already in use.`)
  server.close()
})

test('an address of another machine fails the start', async () => {
  await expect(requireFree(await freePort(), '192.0.2.1', () => {})).rejects.toThrow('Cannot listen on 192.0.2.1')
})

test('of two starts on the same ports, the second waits until the first has ended its start', async () => {
  const ports = [await freePort(), await freePort()]
  const first = await awaitTurn(ports, () => {})
  const lines: string[] = []
  await expect(awaitTurn(ports.toReversed(), (line) => lines.push(line), 100)).rejects.toThrow(
    `Another start on port ${Math.min(...ports)} has not ended.`,
  )
  expect(lines).toEqual([`Another start uses port ${Math.min(...ports)}; waiting for it.`])
  const second = awaitTurn(ports, () => {})
  first.end()
  ;(await second).end()
})

test('a start that is killed does not keep its ports from the next', async () => {
  const ports = [await freePort()]
  const code = `import(${JSON.stringify(join(import.meta.dirname, 'ports.ts'))}).then(async ({ awaitTurn }) => {
    await awaitTurn(${JSON.stringify(ports)}, () => {}); process.send('held'); setInterval(() => {}, 1000) })`
  const holder = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await once(holder, 'message')
  await expect(awaitTurn(ports, () => {}, 100)).rejects.toThrow('has not ended')
  holder.kill('SIGKILL')
  ;(await awaitTurn(ports, () => {})).end()
})
