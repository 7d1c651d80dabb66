import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** @throws Error in one sentence when something listens there already */
export async function requireFree(port: number, host: string): Promise<void> {
  try {
    await listenOnce(port, host)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new Error(`Port ${port} is already in use. Set PORT and API_PORT to free ones.`, { cause: error })
    throw new Error(`Cannot listen on ${host}, port ${port}: ${message}.`, { cause: error })
  }
}

/** A port that was free a moment ago. */
export const freePort = (): Promise<number> => listenOnce(0, '127.0.0.1')

async function listenOnce(port: number, host: string): Promise<number> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  const taken = (server.address() as AddressInfo).port
  server.close()
  await once(server, 'close')
  return taken
}
