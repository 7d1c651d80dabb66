import { act, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { usePainted } from './use-painted.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('what waits for the first paint appears in a hidden tab too, which paints nothing', () => {
  vi.useFakeTimers()
  vi.spyOn(window, 'requestAnimationFrame').mockReturnValue(1)
  const { result, rerender } = renderHook(({ begun }) => usePainted(begun), { initialProps: { begun: false } })
  act(() => vi.advanceTimersByTime(60_000))
  expect(result.current).toBe(false)
  rerender({ begun: true })
  expect(result.current).toBe(false)
  act(() => vi.advanceTimersByTime(60_000))
  expect(result.current).toBe(true)
})
