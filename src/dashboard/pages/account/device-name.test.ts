import { expect, test } from 'vitest'
import { deviceName, isHandheld } from './device-name.ts'

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit'
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0'

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux', false],
  [`${WINDOWS} Safari/537.36`, 'Chrome on Windows', false],
  [`${WINDOWS} Safari/537.36 Edg/153.0.0.0`, 'Edge on Windows', false],
  [`${MAC}/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15`, 'Safari on macOS', false],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Version/26.0 Mobile Safari/604.1', 'Safari on iPhone', true],
  ['Mozilla/5.0 (Linux; Android 16; K) Chrome/153.0.0.0 Mobile Safari/537.36', 'Chrome on Android', true],
  ['curl/8.0', 'Unknown browser', false],
  ['', 'Unknown browser', false],
])('%s is %s', (userAgent, name, handheld) => {
  expect(deviceName(userAgent)).toBe(name)
  expect(isHandheld(userAgent)).toBe(handheld)
})
