import { expect, test, vi } from 'vitest'
import { openMetrics } from './open-metrics.ts'

test('a gauge that cannot be read, has no value or does not answer is absent and keeps no other from being read', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue()
  await openMetrics({
    process: 'test',
    at: { host: '127.0.0.1', port: 0 },
    gauges: {
      known: { help: 'a', read: () => [[{}, 7]] },
      unknown: { help: 'b', read: () => [] },
      failed: { help: 'c', read: () => Promise.reject(new Error('away')) },
      late: { help: 'd', read: () => new Promise(() => {}) },
    },
  })
  const [, url = ''] = /^metrics: (.*)$/.exec(String(log.mock.calls[0]?.[0])) ?? []
  const text = await (await fetch(url)).text()
  expect(text.match(/^strongroom_(?:known|unknown|failed|late)\b.*$/gm)).toEqual(['strongroom_known{process="test"} 7'])
})
