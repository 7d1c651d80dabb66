import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { freePort } from '../../../../e2e/stack.ts'
import { paths } from '../../../dashboard/paths.ts'
import { median } from '../measure.ts'
import { loadLighthouse } from './load-lighthouse.ts'
import type { WebFigure } from './report.ts'
import { ADMIN, type Stand } from './stand.ts'

const ROUNDS = 3
const ATTEMPTS = 3
const GOALS = { performance: 98, accessibility: 100, 'best-practices': 100 }
type Category = keyof typeof GOALS

/** Measures the main pages with Lighthouse on its desktop profile: the sign-in page first, the others signed in. */
export async function measureLighthouse(stand: Stand): Promise<WebFigure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'strongroom-bench-lighthouse-'))
  const port = await freePort()
  const args = [...(stand.launch.args ?? []), `--remote-debugging-port=${port}`]
  const context = await chromium.launchPersistentContext(folder, { ...stand.launch, args, baseURL: stand.url })
  try {
    const figures = await audit(port, stand.url, { signIn: paths.signIn() })
    await context.request.post('/auth/demo', { data: { email: ADMIN }, headers: { origin: stand.url } })
    return [...figures, ...(await audit(port, stand.url, await mainPages(stand)))]
  } finally {
    await context.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function mainPages({ admin }: Stand): Promise<Record<string, string>> {
  const { workspaces } = await admin.call<{ workspaces: { id: number; name: string }[] }>('GET', '/users/me/workspaces')
  const room = workspaces.find(({ name }) => name === 'Project Harbour')?.id ?? 0
  const all = { home: paths.home(), files: paths.files(room), permissions: paths.permissions(room) }
  return { ...all, groups: paths.groups(room), activities: paths.activities(room), account: paths.account() }
}

async function audit(port: number, url: string, pages: Record<string, string>): Promise<WebFigure[]> {
  const figures: WebFigure[] = []
  for (const [name, path] of Object.entries(pages)) {
    const rounds = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await scoresOf(url + path, port))
    for (const [category, atLeast] of Object.entries(GOALS)) {
      const ours = median(rounds.map((scores) => scores[category as Category]))
      figures.push({ work: `Lighthouse, ${name}: ${category}`, unit: 'score', ours, goal: { atLeast } })
    }
  }
  return figures
}

async function scoresOf(url: string, port: number): Promise<Record<Category, number>> {
  const { categories, audits } = await runOnce(url, port)
  for (const { auditRefs } of Object.values(categories)) {
    for (const { id, weight } of auditRefs) {
      const { title, score } = audits[id] ?? {}
      if (weight > 0 && typeof score === 'number' && score < 0.9) console.log(`  ${url}: ${title}: ${score}`)
    }
  }
  const scoreOf = (category: Category) => Math.round((categories[category]?.score ?? 0) * 100)
  return {
    performance: scoreOf('performance'),
    accessibility: scoreOf('accessibility'),
    'best-practices': scoreOf('best-practices'),
  }
}

/** Retries because Lighthouse fails when its own page is gone before it closes the page, and loses its results. */
async function runOnce(url: string, port: number) {
  const { default: lighthouse, desktopConfig } = await loadLighthouse()
  for (let attempt = 1; ; attempt++) {
    try {
      const flags = { port, output: 'json' as const, logLevel: 'error' as const, onlyCategories: Object.keys(GOALS) }
      const result = await lighthouse(url, flags, desktopConfig)
      if (result?.lhr.runtimeError) throw new Error(result.lhr.runtimeError.message)
      if (result?.lhr.finalDisplayedUrl !== url) throw new Error(`led to ${result?.lhr.finalDisplayedUrl}`)
      return result.lhr
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      console.log(`  ${url}: ${(error as Error).message}; once more`)
    }
  }
}
