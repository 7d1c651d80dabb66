import { join } from 'node:path'
import { type Browser, chromium, type LaunchOptions, type Page } from 'playwright'
import { startStack } from '../../../../e2e/stack.ts'
import { ensureDashboard } from '../../../embedded/dashboard.ts'
import { INES } from '../../../embedded/demo/people.ts'
import { findPostmaster } from '../../../embedded/postgres/postmaster.ts'
import { connectionString, DATABASE } from '../../../embedded/postgres/settings.ts'
import { type Db, openPool } from '../../../service/db/pool.ts'
import { findBrowser } from '../../browser.ts'
import { type Caller, createCaller } from '../caller.ts'
import { observe } from './observe.ts'
import type { WebFigure } from './report.ts'

/** The whole product with its demo, and a browser to open it. */
export interface Stand extends AsyncDisposable {
  url: string
  admin: Caller
  db: Db
  browser: Browser
  browserVersion: string
  /** Options that start another browser like this one. */
  launch: LaunchOptions
  /** Measurements of the start. */
  figures: WebFigure[]
  /** Opens a page in a fresh browser context, signed in as `email`, or not signed in where it is undefined. */
  open(email?: string): Promise<Page>
}

export const ADMIN = INES.email

const VIEWPORT = { width: 1440, height: 900 }

export async function openStand(): Promise<Stand> {
  await using ends = new AsyncDisposableStack()
  await ensureDashboard(console.log)
  const launch = await findBrowser(console.log)
  const begun = performance.now()
  const stack = await startStack()
  const started = (performance.now() - begun) / 1000
  ends.defer(() => stack.stop())
  const admin = createCaller(stack.apiUrl, stack.credentials)
  ends.defer(() => admin.close())
  const postmaster = await findPostmaster(join(stack.dataDir, 'postgres'))
  const db = openPool(connectionString(postmaster?.socketDir ?? '', DATABASE), 2)
  ends.defer(() => db.destroy())
  const browser = await chromium.launch(launch)
  ends.defer(() => browser.close())
  const all = ends.move()
  return {
    url: stack.url,
    admin,
    db,
    browser,
    browserVersion: browser.version(),
    launch,
    figures: [{ work: 'first start with the demo, until it is ready', unit: 's', ours: started, goal: { atMost: 10 } }],
    async open(email) {
      const context = await browser.newContext({ baseURL: stack.url, viewport: VIEWPORT, timezoneId: 'Europe/Lisbon' })
      context.setDefaultTimeout(120_000)
      await context.addInitScript(observe)
      if (email !== undefined)
        await context.request.post('/auth/demo', { data: { email }, headers: { origin: stack.url } })
      return context.newPage()
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
