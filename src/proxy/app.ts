import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { API_PREFIX } from '../contract/url.ts'
import { createMailer, type Mailer } from '../mail/transport.ts'
import { createAddressVoucher } from '../signing/client-address.ts'
import { noteReply, refuseBadBytes } from '../wire/bad-bytes.ts'
import { drainAfterReply } from '../wire/drain.ts'
import { endConnectionsWithReplies } from '../wire/stop.ts'
import { type Gauge, openMetrics } from '../wire/metrics/open-metrics.ts'
import { isRecording, record, statusClass } from '../wire/metrics/record.ts'
import { openTraces } from '../wire/traces/open-traces.ts'
import { beginRequest, endRequest } from '../wire/traces/request-span.ts'
import { isTracing, within } from '../wire/traces/span.ts'
import { type Log, openLog } from '../wire/log.ts'
import { createAskingBrowser } from './asking-browser.ts'
import {
  checkDestination,
  checkHead,
  checkPerson,
  checkHost,
  checkOrigin,
  checkTarget,
  originsOf,
  type Origins,
} from './checks.ts'
import type { Config } from './config.ts'
import { beginExchange, type Exchange, type ExchangeSettings } from './exchange.ts'
import { forward } from './forward.ts'
import { createIdentityProvider } from './sign-in/oidc.ts'
import { createFlows } from './sign-in/oidc-flows.ts'
import { CALLBACK } from './sign-in/oidc-sign-in.ts'
import { createPages, safetyHeaders } from './pages.ts'
import { createPeople, type People } from './sign-in/people.ts'
import { notFound, type Refusal, refused, serviceUnavailable, signedOut, wrongMethod } from './refusal.ts'
import { isOpened, sendFailure, sendJson, withoutCredential } from './reply.ts'
import { createSealedKey, SEALED_KEY } from './sealed-key.ts'
import { createServiceCalls, type ServiceCalls, sessionHeader } from './service-calls.ts'
import { createSessions, type Sessions } from './sign-in/session.ts'
import { createSigner, mayBePassedOn, type Signer } from './sign.ts'
import { createSignIn } from './sign-in/sign-in.ts'
import { createUnsubscribe, UNSUBSCRIBE } from './own-pages/unsubscribe.ts'
import { Upstream } from './upstream.ts'

export interface RunningProxy {
  /** `http://host:port`, with the port actually used. */
  url: string
  log: Log
  /** From now on it is not ready, and connections end with their next reply. */
  drain(): void
  /** Waits for requests in progress to finish. */
  close(): Promise<void>
}

/** Milliseconds after which an idle connection is closed: longer than the service may take to answer. */
const STILL_MS = 600_000

interface Parts {
  config: Config
  upstream: Upstream
  sign: Signer
  service: ServiceCalls
  people: People
  sessions: Sessions
  exchanges: ExchangeSettings
  origins: Origins
  /** Event streams, which do not end by themselves. */
  eventStreams: Set<ServerResponse>
  isDraining: boolean
  mailer: Mailer
  signIn(exchange: Exchange): Promise<void>
  sealedKey(exchange: Exchange): void
  unsubscribe(exchange: Exchange): Promise<void>
  pages(exchange: Exchange): void
}

/** Starts the proxy. @throws Error if the port is taken */
export async function startProxy(config: Config, clock: () => Date = () => new Date()): Promise<RunningProxy> {
  const server = createListener()
  const port = await listen(server, config)
  const log = openLog({ process: 'proxy', dataDir: config.dataDir, level: config.log })
  const parts = assemble(config, port, clock, log)
  if (config.metricsAt) await openMetrics({ process: 'proxy', at: config.metricsAt, gauges: gaugesOf(parts) })
  const traces = await openTraces({ process: 'proxy', settings: config.traces, log })
  const underWay = new Set<Promise<void>>()
  const answer = (request: IncomingMessage, reply: ServerResponse) => {
    noteReply(reply)
    drainAfterReply(request, reply)
    const work = handle(parts, request, reply).finally(() => underWay.delete(work))
    underWay.add(work)
  }
  server.on('request', answer)
  // Otherwise Node would request the body before the proxy has decided whether to accept it.
  server.on('checkContinue', answer)
  server.on('checkExpectation', answer)
  return {
    log,
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    drain() {
      parts.isDraining = true
      endConnectionsWithReplies(server)
    },
    async close() {
      // Keep-alive connections become idle one by one; those with event streams never would.
      const sweep = setInterval(() => {
        server.closeIdleConnections()
        for (const reply of parts.eventStreams) reply.destroy()
      }, 50)
      await new Promise((done) => server.close(done))
      clearInterval(sweep)
      // A sign-in code is mailed after its request was answered.
      await Promise.all(underWay)
      parts.mailer.close()
      await Promise.all([parts.upstream.destroy(), traces.close()])
    },
  }
}

const gaugesOf = ({ upstream, eventStreams }: Parts): Record<string, Gauge> => ({
  service_nodes: {
    help: 'Nodes of the service that the proxy knows, by whether they are ready',
    labels: ['state'],
    read: () => Object.entries(upstream.count()).map(([state, count]) => [{ state }, count]),
  },
  proxy_event_streams: { help: 'Event streams of browsers', read: () => [[{}, eventStreams.size]] },
})

function createListener(): Server {
  const server = createServer({
    maxHeaderSize: 16 * 1024,
    headersTimeout: 20_000,
    connectionsCheckingInterval: 5000,
    // An upload may take hours, but it must not stand still.
    requestTimeout: 0,
    keepAliveTimeout: 65_000,
    // Node would refuse without an error body; see checkHead.
    requireHostHeader: false,
  })
  server.timeout = STILL_MS
  server.on('clientError', refuseBadBytes)
  server.on('connect', (_request, socket) => socket.destroy())
  return server
}

async function listen(server: Server, { port, host }: Config): Promise<number> {
  await new Promise<void>((done, fail) => {
    server.once('error', fail).listen(port, host, () => {
      server.off('error', fail)
      done()
    })
  })
  return (server.address() as AddressInfo).port
}

function assemble(config: Config, port: number, clock: () => Date, log: Log): Parts {
  const publicUrl = config.publicUrl ?? `http://localhost:${port}`
  const upstream = new Upstream(config.apiUrls)
  const sign = createSigner(config, clock)
  const { vouch } = createAddressVoucher(config.masterKey)
  const service = createServiceCalls(upstream, sign, config.adminToken, (ip) => vouch(ip, clock().getTime()))
  const people = createPeople(service, clock)
  const isSecure = publicUrl.startsWith('https:')
  const sessions = createSessions(config.masterKey, isSecure, clock)
  const oidc = config.oidc && {
    provider: createIdentityProvider(config.oidc, publicUrl + CALLBACK, clock),
    flows: createFlows(config.masterKey, isSecure, clock),
  }
  const mailer = createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom, outbox: config.outbox })
  const { demoPeople } = config
  const askingBrowser = createAskingBrowser(isSecure)
  const signIn = createSignIn({ service, people, sessions, askingBrowser, mailer, oidc, demoPeople, publicUrl, clock })
  return {
    config,
    upstream,
    sign,
    service,
    people,
    sessions,
    exchanges: { trustedProxies: config.trustedProxies, replyHeaders: safetyHeaders(publicUrl), vouch, clock, log },
    origins: originsOf(publicUrl, port),
    eventStreams: new Set(),
    isDraining: false,
    mailer,
    signIn,
    sealedKey: createSealedKey(upstream, clock),
    unsubscribe: createUnsubscribe(service, clock),
    pages: createPages(config.distDir),
  }
}

async function handle(parts: Parts, request: IncomingMessage, reply: ServerResponse): Promise<void> {
  const exchange = beginExchange(request, reply, parts.exchanges)
  if (parts.config.log === 'debug') logWhenDone(exchange)
  if (isRecording()) recordWhenDone(exchange)
  if (isTracing()) trace(parts, exchange)
  try {
    await within(exchange.span, () => route(parts, exchange))
  } catch (error) {
    sendFailure(exchange, error)
  }
}

async function route(parts: Parts, exchange: Exchange): Promise<void> {
  const { path } = exchange
  checkHead(exchange)
  checkTarget(exchange)
  // Probes use an address, whatever the public name.
  if (path === '/healthz') return sendJson(exchange, 200, { status: 'ok' })
  if (path === '/readyz') return ready(parts, exchange)
  const own = checkHost(exchange, parts.origins)
  if (path === SEALED_KEY) return parts.sealedKey(exchange)
  if (path.startsWith('/content/')) return content(parts, exchange)
  if (path.startsWith(UNSUBSCRIBE)) return parts.unsubscribe(exchange)
  if (path.startsWith('/api/') || (path.startsWith('/auth/') && !isArrival(exchange))) checkOrigin(exchange, own)
  if (path.startsWith('/auth/')) return parts.signIn(exchange)
  if (path.startsWith('/api/')) return callApi(parts, exchange)
  parts.pages(exchange)
}

/** The browser arrives from another site, the identity provider, by a link; such requests read nothing of the user. */
function isArrival({ request, method, path }: Exchange): boolean {
  const mode = request.headers['sec-fetch-mode']
  return method === 'GET' && (path === '/auth/oidc' || path === CALLBACK) && (mode === undefined || mode === 'navigate')
}

async function ready({ service, isDraining }: Parts, exchange: Exchange): Promise<void> {
  if (isDraining) throw serviceUnavailable(1)
  if (await service.isReady()) return sendJson(exchange, 200, { status: 'ready' })
  sendJson(exchange, 503, { error: { code: 503, message: 'The service is not ready.', request_id: exchange.id } })
}

/** Session -> user token -> is this endpoint in the contract? -> sign -> stream. */
async function callApi(parts: Parts, exchange: Exchange): Promise<void> {
  const { people, sessions, sign, upstream, eventStreams } = parts
  const { request, reply, method, path } = exchange
  if (!mayBePassedOn(method, path)) throw notFound()
  const session = sessions.find(request)
  if (!session) throw signedOut()
  checkPerson(exchange, session)
  const user = await people.find(session)
  if (!user) throw signedOut()
  const cookie = sessions.renew(session, user)
  forward(upstream, exchange, {
    // The browser never sees a user token, not even its own.
    headers: { ...sign(user.user_token), ...sessionHeader(session.id), 'x-api-omit-user-tokens': 'true' },
    fixed: cookie === undefined ? {} : { 'set-cookie': cookie },
    onHead: (status, { 'content-type': type }) => {
      if (type?.startsWith('text/event-stream')) {
        eventStreams.add(reply)
        // Otherwise the span would last as long as the stream.
        exchange.span?.end({ 'http.response.status_code': status })
        reply.on('close', () => eventStreams.delete(reply))
      }
      // The token is invalid, the session has ended, or the cached user has just changed.
      if (status === 401 || path.startsWith(`${API_PREFIX}/users/me`)) people.recheck(user.id)
    },
  })
}

/** Expiring URLs: the URL is the credential, so the proxy neither signs the request nor requires a session. */
function content({ upstream }: Parts, exchange: Exchange): void {
  if (exchange.method !== 'GET' && exchange.method !== 'HEAD') throw wrongMethod('GET, HEAD')
  checkDestination(exchange)
  forward(upstream, exchange, isOpened(exchange) ? { refuse: contentRefusal } : {})
}

/** The service refuses content in JSON, for programs. */
function contentRefusal(status: number): Refusal | undefined {
  if (status === 403) return refused('url_expired')
  if (status === 404) return notFound()
  return status === 503 ? serviceUnavailable(1) : undefined
}

const PROBES = ['/healthz', '/readyz']
const ROUTES = ['/api/', '/auth/', '/content/', '/assets/', SEALED_KEY, UNSUBSCRIBE, ...PROBES]

const routeOf = ({ path }: Exchange) => ROUTES.find((each) => path.startsWith(each)) ?? 'page'

/** The trace of a front server is continued only where that is configured, and that of a browser never. */
function trace({ config }: Parts, exchange: Exchange): void {
  const { request, reply, id, method, isFromFrontServer } = exchange
  const route = routeOf(exchange)
  if (PROBES.includes(route)) return
  const mayContinue = config.traces?.fromFrontServers && isFromFrontServer()
  exchange.span = beginRequest({ method, route, id, remote: mayContinue ? request.headers['traceparent'] : undefined })
  if (exchange.span) endRequest(exchange.span, reply)
}

function recordWhenDone(exchange: Exchange): void {
  const { reply } = exchange
  const begun = performance.now()
  const route = routeOf(exchange)
  reply.on('close', () => {
    const status = reply.writableFinished ? statusClass(reply.statusCode) : 'broken off'
    record('proxy_request_duration_seconds', { route, status }, (performance.now() - begun) / 1000)
  })
}

/** Leaves out the query, and what is a credential in the path. */
function logWhenDone({ reply, method, path, id, ip }: Exchange): void {
  const begun = performance.now()
  const place = JSON.stringify(withoutCredential(path)).slice(1, -1)
  reply.on('close', () => {
    const fate = reply.writableFinished ? '' : ' broken off'
    console.log(`${method} ${place} ${reply.statusCode} ${(performance.now() - begun).toFixed(1)}ms ${ip} ${id}${fate}`)
  })
}
