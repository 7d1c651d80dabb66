import { afterEach, expect, test, vi } from 'vitest'
import { pageShown } from './page-shown.ts'

afterEach(() => {
  vi.useRealTimers()
  document.body.innerHTML = ''
})

test('what is not part of the page waits while the page loads, but not for ever', async () => {
  vi.useFakeTimers()
  const after = vi.fn<() => void>()
  document.body.innerHTML = '<main><h1>Files</h1><div role="status"></div></main>'
  void pageShown().then(after)
  await vi.advanceTimersByTimeAsync(3000)
  expect(after).not.toHaveBeenCalled()
  document.querySelector('[role="status"]')?.remove()
  await vi.advanceTimersByTimeAsync(1000)
  expect(after).toHaveBeenCalledOnce()

  document.body.innerHTML = ''
  void pageShown().then(after)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(after).toHaveBeenCalledTimes(2)
})
