import { execFileSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../sources.ts'
import { measureDrop } from './web/drop.ts'
import { measureFind } from './web/find.ts'
import { measureGrid } from './web/grid.ts'
import { measureLighthouse } from './web/lighthouse.ts'
import { measureList } from './web/list.ts'
import { measureLive } from './web/live.ts'
import { reportWeb, type WebFigure } from './web/report.ts'
import { measureScripts } from './web/scripts.ts'
import { measureSession } from './web/session.ts'
import { measureOpening } from './web/opening.ts'
import { openStand, type Stand } from './web/stand.ts'

// `npm run bench:web` measures the dashboard in a real browser against its budgets. `npm run bench:web -- grid list`
// runs only these measurements. Prints a table and writes `bench-web.json`.

const MEASUREMENTS: Record<string, (stand: Stand) => Promise<WebFigure[]>> = {
  start: async ({ figures }) => figures,
  scripts: measureScripts,
  list: measureList,
  session: measureSession,
  opening: measureOpening,
  find: measureFind,
  grid: measureGrid,
  drop: measureDrop,
  live: measureLive,
  lighthouse: measureLighthouse,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in MEASUREMENTS))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there are ${Object.keys(MEASUREMENTS).join(', ')}.`)
  process.exit(1)
}

const loads = [loadavg()]
await using stand = await openStand()
const figures: WebFigure[] = []
for (const [name, measure] of Object.entries(MEASUREMENTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`${name} …`)
  try {
    figures.push(...(await measure(stand)))
  } catch (error) {
    // Earlier results are kept, and the remaining measurements still run.
    console.error(error)
    process.exitCode = 1
  }
  loads.push(loadavg())
}
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
const facts = { commit, browser: stand.browserVersion, load_average: loads.map(([minute = 0]) => minute) }
await reportWeb(figures, facts, join(ROOT, 'bench-web.json'))
