import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Bytes } from './client.ts'
import { COMPILED } from './spawn-process.ts'
import type { TestService } from './start-service.ts'

const MAIN = join(import.meta.dirname, '../../proxy/main.ts')

export interface ProxyProcess {
  child: ChildProcess
  url: string
  /** Sends a request as a page of our own does. */
  send(method: string, path: string, options?: { cookie?: string; body?: Bytes; headers?: object }): Promise<Response>
  /** Signs a person of DEMO_PEOPLE in. @returns the Cookie header */
  signIn(email: string): Promise<string>
}

/** Starts the proxy as a separate process in front of these nodes of a service. */
export async function spawnProxy(
  { config }: Pick<TestService, 'config'>,
  apiUrls: readonly string[],
  more: Record<string, string> = {},
): Promise<ProxyProcess> {
  const { apiKey, apiSecret, adminToken } = config.bootstrap!
  const env = {
    ...COMPILED,
    PORT: '0',
    API_URL: apiUrls.join(','),
    API_KEY: apiKey,
    API_SECRET: apiSecret,
    ADMIN_TOKEN: adminToken,
    MASTER_KEY: config.masterKey,
    DATA_DIR: config.dataDir,
    STOP_GRACE: '0',
    ...more,
  }
  const child = fork(MAIN, { env, silent: true })
  let said = ''
  child.stdout!.on('data', (text) => (said += text))
  child.stderr!.pipe(process.stderr)
  while (!/proxy: http\S+\n/.test(said)) await once(child.stdout!, 'data')
  const url = `http://localhost:${new URL(/proxy: (http\S+)/.exec(said)![1]!).port}`
  const send: ProxyProcess['send'] = (method, path, { cookie = '', body, headers } = {}) =>
    fetch(url + path, {
      method,
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', cookie, ...headers },
      ...(body !== undefined && { body }),
    })
  return {
    child,
    url,
    send,
    async signIn(email) {
      const reply = await send('POST', '/auth/demo', { body: JSON.stringify({ email }) })
      return String(reply.headers.get('set-cookie')).split(';')[0]!
    },
  }
}
