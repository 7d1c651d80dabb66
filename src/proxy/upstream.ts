import { Dispatcher, errors, Pool } from 'undici'
import { record } from '../wire/metrics/record.ts'
import { PassingHandler } from './passing-handler.ts'
import { type Refusal, serviceAway, serviceSlow } from './refusal.ts'
import { traceDispatch } from './traced-dispatch.ts'

/**
 * How long the service may be silent. During an upload, the wait begins only when the upload is complete or stalled.
 */
const SILENCE_MS = 300_000
/** With several nodes, each is asked at this interval whether it is ready. */
const LOOK_MS = 1000
/** After this many looks without an answer, a node is lost with all requests that wait for it. */
const SILENT_LOOKS = 5

/** No connection came about, so the node has not seen the request. */
const UNSENT = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])
/** The connection broke before the reply. Requests that change nothing may be sent again. */
const BROKEN = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])
const REPEATABLE = new Set(['GET', 'HEAD'])

interface Node {
  url: string
  pool: Pool
  isAway: boolean
  /** Looks in a row that got no answer in time. */
  silentLooks: number
}

/**
 * The nodes of the service, in turn. A request goes to another node if its node cannot be reached, and a GET also if its
 * connection breaks before the reply. Nodes that are not ready get requests only if no other is.
 */
export class Upstream extends Dispatcher {
  readonly #nodes: readonly Node[]
  readonly #looking: NodeJS.Timeout | undefined
  readonly #lookMs: number
  #next = 0

  constructor(urls: readonly string[], lookMs = LOOK_MS) {
    super()
    this.#lookMs = lookMs
    this.#nodes = urls.map((url) => ({ url, pool: openPool(url), isAway: false, silentLooks: 0 }))
    if (urls.length > 1)
      this.#looking = setInterval(() => this.#nodes.forEach((node) => void this.#watch(node)), lookMs)
    this.#looking?.unref()
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const traced = traceDispatch(options, handler)
    return this.#send(traced.options, traced.handler, new Set())
  }

  /** Answers with the first node that is ready: a silent one must not make this proxy look silent too. */
  async isReady(): Promise<boolean> {
    const looks = this.#nodes.map(async (node) => (await look(node, 2 * this.#lookMs)) || Promise.reject(new Error()))
    return Promise.any(looks).catch(() => false)
  }

  count(): { ready: number; away: number } {
    const away = this.#nodes.filter(({ isAway }) => isAway).length
    return { ready: this.#nodes.length - away, away }
  }

  override async destroy(): Promise<void> {
    clearInterval(this.#looking)
    await Promise.all(this.#nodes.map(({ pool }) => pool.destroy()))
  }

  async #watch(node: Node): Promise<void> {
    await look(node, 2 * this.#lookMs)
    if (node.silentLooks < SILENT_LOOKS) return
    node.silentLooks = 0
    const lost = node.pool
    node.pool = openPool(node.url)
    await lost.destroy(new errors.SocketError('The node is silent'))
  }

  #send(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler, tried: Set<Node>): boolean {
    const node = this.#choose(tried)
    const isLast = tried.size >= this.#nodes.length
    tried.add(node)
    const again = ({ code = '' }: NodeJS.ErrnoException): boolean => {
      const isUnsent = UNSENT.has(code)
      if (isUnsent && this.#nodes.length > 1) node.isAway = true
      const mayRepeat = BROKEN.has(code) && REPEATABLE.has(options.method) && !options.body
      if (isLast || !(mayRepeat || (isUnsent && tried.size < this.#nodes.length))) return false
      record('upstream_retries_total', {})
      this.#send(options, handler, tried)
      return true
    }
    return node.pool.dispatch(options, new Attempt(handler, again))
  }

  /** A node that was not tried yet and is ready, if there is one. */
  #choose(tried: ReadonlySet<Node>): Node {
    const untried = this.#nodes.filter((node) => !tried.has(node))
    const ready = untried.filter(({ isAway }) => !isAway)
    const from = [ready, untried, this.#nodes].find(({ length }) => length > 0)!
    return from[this.#next++ % from.length]!
  }
}

function openPool(url: string): Pool {
  return new Pool(url, {
    connectTimeout: 5000,
    headersTimeout: SILENCE_MS,
    bodyTimeout: SILENCE_MS,
    // Below the 72 s after which the service closes idle connections.
    keepAliveTimeout: 30_000,
    allowH2: false,
  })
}

async function look(node: Node, withinMs: number): Promise<boolean> {
  const signal = AbortSignal.timeout(withinMs)
  try {
    const { statusCode, body } = await node.pool.request({ method: 'GET', path: '/readyz', signal })
    await body.dump()
    Object.assign(node, { isAway: statusCode !== 200, silentLooks: 0 })
  } catch {
    Object.assign(node, { isAway: true, silentLooks: signal.aborted ? node.silentLooks + 1 : 0 })
  }
  return !node.isAway
}

/** Passes a reply on, or sends the request again where nothing of a reply has come. */
class Attempt extends PassingHandler {
  readonly #again: (error: Error) => boolean
  #hasBegun = false

  constructor(handler: Dispatcher.DispatchHandler, again: (error: Error) => boolean) {
    super(handler)
    this.#again = again
  }

  override onResponseStart(...args: Parameters<PassingHandler['onResponseStart']>): void {
    this.#hasBegun ||= args[1] >= 200
    super.onResponseStart(...args)
  }

  override onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    if (!this.#hasBegun && this.#again(error)) return
    super.onResponseError(controller, error)
  }
}

/** The refusal for a caller whose request got no reply. */
export function refusalFor(error: Error): Refusal {
  const isTimeout = error instanceof errors.HeadersTimeoutError || error instanceof errors.ConnectTimeoutError
  return isTimeout ? serviceSlow() : serviceAway()
}
