import { defineConfig, type LaunchOptions } from '@playwright/test'
import { findBrowser } from '../src/tools/browser.ts'
import { seconds } from './journey.ts'
import { stackOfWorker, WORKERS } from './workers.ts'

// Each worker loads this file again, so the environment passes on the browser that was found first.
const launchOptions = JSON.parse(
  (process.env['E2E_LAUNCH'] ??= JSON.stringify(await findBrowser(console.log))),
) as LaunchOptions
const stack = stackOfWorker()

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  outputDir: '../test-results',
  globalSetup: './global-setup.ts',
  workers: WORKERS,
  timeout: seconds(120),
  expect: { timeout: seconds(15) },
  reporter: [['list']],
  use: {
    ...(stack && { baseURL: stack.url }),
    launchOptions,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Lisbon',
    trace: { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
  },
})
