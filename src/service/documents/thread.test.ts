import { expect, test } from 'vitest'
import { createThread } from './thread.ts'

/** Answers each message with the id of the thread. */
const ECHO = new URL(
  `data:text/javascript,import { parentPort, threadId } from 'node:worker_threads';
  parentPort.on('message', (ms) => setTimeout(() => parentPort.postMessage(threadId), ms))`,
)

test('an idle thread ends, and the next task starts another', { timeout: 30_000 }, async () => {
  const thread = createThread(ECHO, { timeLimitMs: 20_000, maxHeapMb: 64, idleMs: 100 })
  const first = await thread.ask(0, [])
  await expect.poll(() => thread.ask(0, []), { interval: 1500, timeout: 20_000 }).not.toBe(first)
  await thread.close()
})

test('a thread at work does not end, however long its task takes', { timeout: 30_000 }, async () => {
  const thread = createThread(ECHO, { timeLimitMs: 20_000, maxHeapMb: 64, idleMs: 100 })
  const answers = [thread.ask(1500, []), thread.ask(1500, [])]
  const [first, second] = await Promise.all(answers)
  expect(second).toBe(first)
  await thread.close()
})
