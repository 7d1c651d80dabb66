import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort, requireFree } from './ports.ts'

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
