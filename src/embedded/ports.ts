import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds. Programs whose supervisor was killed finish their work within five seconds. */
const WAIT_FOR = 7000
const POLL = 50

/** Waits until the port is free. @throws Error in one sentence when it stays in use */
export async function requireFree(port: number, host: string, log: (line: string) => void): Promise<void> {
  const end = Date.now() + WAIT_FOR
  for (let told = false; !(await isFree(port, host, Date.now() > end)); told = true) {
    if (!told) log(`Port ${port} is in use; waiting a moment for it.`)
    await sleep(POLL)
  }
}

async function isFree(port: number, host: string, last: boolean): Promise<boolean> {
  try {
    await listenOnce(port, host)
    return true
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE' && !last) return false
    if (code === 'EADDRINUSE')
      throw new Error(`Port ${port} is already in use. Set PORT and API_PORT to free ones.`, { cause: error })
    throw new Error(`Cannot listen on ${host}, port ${port}: ${message}.`, { cause: error })
  }
}

/** Returns a port that was free a moment ago. */
export const freePort = (): Promise<number> => listenOnce(0, '127.0.0.1')

async function listenOnce(port: number, host: string): Promise<number> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  const taken = (server.address() as AddressInfo).port
  server.close()
  await once(server, 'close')
  return taken
}
