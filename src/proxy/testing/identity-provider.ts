import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Configuration, Provider } from 'oidc-provider'
import { createProviderMemory } from './provider-memory.ts'

type Claims = Record<string, unknown>

/** A user as the provider knows them. */
export interface Account {
  email?: string
  email_verified?: boolean
}

/** Settings that a test may change at any time. */
interface Behaviour {
  /** The user who signs in. */
  account: Account
  /** Refuses the sign-in. */
  denies: boolean
  /** Changes the claims of the ID token, which is then signed again. */
  changeClaims: ((claims: Claims) => Claims) | undefined
  /** Changes the signed ID token itself. */
  changeToken: ((token: string) => string) | undefined
  /** Path at which the provider does not answer. */
  silentAt: string | undefined
}

export interface TestIdentityProvider extends Behaviour {
  issuer: string
  clientId: string
  clientSecret: string
  /** Requests for `GET /auth`, in order. */
  seen: string[]
  close(): Promise<void>
}

const clientId = 'strongroom'
const clientSecret = 'a-secret-of-the-client'
const KEY_ID = 'test'

/**
 * A real OpenID Connect provider on a free port. Signing in takes just a visit, or the press of a button.
 * @param redirectUri the only URI to which it sends users back
 */
export async function startIdentityProvider(
  redirectUri: string,
  { claimsInToken = true, button = false, postOnly = false, port = 0 } = {},
): Promise<TestIdentityProvider> {
  const server = createServer()
  const issuer = await listen(server, port)
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const behaviour: TestIdentityProvider = {
    issuer,
    clientId,
    clientSecret,
    seen: [],
    account: { email: 'alice@rooms.test', email_verified: true },
    denies: false,
    changeClaims: undefined,
    changeToken: undefined,
    silentAt: undefined,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
  const method = postOnly ? 'client_secret_post' : 'client_secret_basic'
  const provider = createProvider(behaviour, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: method,
      },
    ],
    clientAuthMethods: [method],
    conformIdTokenClaims: !claimsInToken,
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: KEY_ID, alg: 'RS256', use: 'sig' }] },
  })
  const answer = provider.callback()
  const signed = (claims: Claims) => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const text = `${part({ alg: 'RS256', kid: KEY_ID, typ: 'JWT' })}.${part(claims)}`
    return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
  }
  server.on('request', (request: IncomingMessage, reply: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '', issuer)
    if (pathname === '/auth') behaviour.seen.push(request.url ?? '')
    if (behaviour.silentAt === pathname) return
    if (pathname.startsWith('/interaction/')) return void interact(provider, behaviour, button, request, reply)
    if (pathname === '/token') changeToken(reply, behaviour, signed)
    void answer(request, reply)
  })
  return behaviour
}

async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function createProvider(behaviour: TestIdentityProvider, configuration: Configuration): Provider {
  const provider = new Provider(behaviour.issuer, {
    ...configuration,
    adapter: createProviderMemory(),
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: async () => ({ sub: accountId, ...behaviour.account }),
    }),
    cookies: { keys: ['a key of the cookies'] },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, AuthorizationCode: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  })
  provider.on('server_error', (_context, error) => console.error('identity provider:', error))
  return provider
}

/** The provider's page: with `button` it waits for a press, otherwise it continues at once. */
async function interact(
  provider: Provider,
  { account, denies }: Behaviour,
  button: boolean,
  request: IncomingMessage,
  reply: ServerResponse,
): Promise<void> {
  if (button && request.method === 'GET') {
    reply.writeHead(200, { 'Content-Type': 'text/html' })
    return void reply.end('<!doctype html><title>Provider</title><form method="post"><button>Allow</button></form>')
  }
  if (denies) {
    const refusal = { error: 'access_denied', error_description: 'This person may not.' }
    return provider.interactionFinished(request, reply, refusal)
  }
  const { session } = await provider.interactionDetails(request, reply)
  const accountId = session?.accountId ?? account.email ?? 'somebody'
  const grant = new provider.Grant({ accountId, clientId })
  grant.addOIDCScope('openid email')
  await provider.interactionFinished(request, reply, {
    login: { accountId },
    consent: { grantId: await grant.save() },
  })
}

/** Replaces the ID token in the reply of the token endpoint. */
function changeToken(
  reply: ServerResponse,
  { changeClaims, changeToken }: Behaviour,
  signed: (claims: Claims) => string,
) {
  if (!changeClaims && !changeToken) return
  const end = reply.end.bind(reply) as (text: string) => ServerResponse
  reply.end = ((text: string) => {
    const body = JSON.parse(text) as { id_token?: string }
    const [, claims = ''] = body.id_token?.split('.') ?? []
    if (changeClaims) body.id_token = signed(changeClaims(JSON.parse(Buffer.from(claims, 'base64url').toString())))
    if (changeToken) body.id_token = changeToken(body.id_token ?? '')
    const changed = JSON.stringify(body)
    reply.setHeader('Content-Length', Buffer.byteLength(changed))
    return end(changed)
  }) as ServerResponse['end']
}
