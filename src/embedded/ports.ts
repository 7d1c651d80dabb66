import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type ListenOptions, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds. Programs whose supervisor was killed finish their work within five seconds. */
const WAIT_FOR = 7000
const POLL = 50

/** Milliseconds in which another start on the same port should end: it may create its database. */
const TURN_WITHIN = 60_000

export interface Turn {
  end(): void
}

/**
 * Waits for other starts on these ports. Between the test of a port and the time when its program listens, another
 * start would find it free as well, and on Linux the processes of two services would then share it.
 * @throws Error in one sentence when another start does not end
 */
export async function awaitTurn(ports: number[], log: (line: string) => void, within = TURN_WITHIN): Promise<Turn> {
  const held: Server[] = []
  const turn = { end: () => held.splice(0).forEach((server) => server.close()) }
  const until = Date.now() + within
  try {
    // In one order, so that no two starts wait for each other.
    for (const port of ports.toSorted((a, b) => a - b)) held.push(await takeTurn(port, log, until))
    return turn
  } catch (error) {
    turn.end()
    throw error
  }
}

async function takeTurn(port: number, log: (line: string) => void, until: number): Promise<Server> {
  const path = turnPath(port)
  for (let told = false; ; told = true) {
    const server = await listen({ path }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error
    })
    if (server) return server.unref()
    if (Date.now() > until) throw new Error(`Another start on port ${port} has not ended. Set PORT and API_PORT.`)
    if (!told) log(`Another start uses port ${port}; waiting for it.`)
    await removeAbandoned(path)
    await sleep(POLL)
  }
}

const IS_LINUX = process.platform === 'linux'

/** The system frees an abstract socket with its process. Like a port, it belongs to one network namespace. */
const turnPath = (port: number) =>
  IS_LINUX ? `\0strongroom-start-${port}` : join(tmpdir(), `strongroom-start-${port}.sock`)

async function removeAbandoned(path: string): Promise<void> {
  if (IS_LINUX) return
  const socket = connect(path)
  const error = await once(socket, 'connect').then(
    () => undefined,
    (reason: NodeJS.ErrnoException) => reason,
  )
  socket.destroy()
  if (error?.code === 'ECONNREFUSED') await rm(path, { force: true })
}

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
  const server = await listen({ port, host })
  const taken = (server.address() as AddressInfo).port
  server.close()
  await once(server, 'close')
  return taken
}

async function listen(at: ListenOptions): Promise<Server> {
  const server = createServer().listen(at)
  await once(server, 'listening')
  return server
}
