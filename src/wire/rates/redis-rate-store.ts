import type { RateStore } from './rate-store.ts'

const ANSWER_MS = 1000
const RECONNECT_MS = 1000

/** Buckets are strings that hold the time at which they will be full, by the clock of Redis. They expire by themselves. */
const SETTLE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local lacks = {}
for at, key in ipairs(KEYS) do
  local taken, most = tonumber(ARGV[2 * at - 1]), tonumber(ARGV[2 * at])
  local full = tonumber(redis.call('GET', key) or '0')
  local lack = math.min(math.max(full - now, 0) + taken, most)
  redis.call('SET', key, string.format('%.3f', now + lack), 'PX', math.ceil(lack) + 1)
  lacks[at] = string.format('%.3f', lack)
end
return lacks`

/** Connects in the background: while Redis is away, `settle` rejects at once. */
export async function openRedisRateStore(url: string): Promise<RateStore> {
  const { createClient } = await import('@redis/client')
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: ANSWER_MS, reconnectStrategy: () => RECONNECT_MS },
  })
  // Without a listener, a lost connection would end the process.
  client.on('error', () => {})
  void client.connect().catch(() => {})
  return {
    async settle(taken) {
      const lacks = await client.withAbortSignal(AbortSignal.timeout(ANSWER_MS)).eval(SETTLE, {
        // One hash tag, so that a cluster keeps all buckets of a call together.
        keys: taken.map(({ name }) => `{strongroom}:${name}`),
        arguments: taken.flatMap(({ ms, mostMs }) => [String(ms), String(mostMs)]),
      })
      return (lacks as string[]).map(Number)
    },
    close: async () => client.destroy(),
  }
}
