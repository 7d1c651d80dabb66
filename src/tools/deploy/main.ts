import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled } from '../../service/testing/system-packages.ts'
import { checkChart } from './chart.ts'
import { checkCaddyfile, checkCompose } from './compose.ts'
import { checkImage } from './image.ts'

// `npm run test:deploy` checks what lies in deploy/: the compose file, the Helm chart and, by building and starting it
// without a container engine, the image. `-- compose chart` checks only these.

const CHECKS: Record<string, (folder: string) => Promise<void>> = {
  compose: checkCompose,
  caddyfile: checkCaddyfile,
  chart: checkChart,
  image: checkImage,
}

const wanted = process.argv.slice(2)
const chosen = Object.entries(CHECKS).filter(([name]) => wanted.length === 0 || wanted.includes(name))
if (!(await ensureInstalled('compose', 'caddy', 'go', 'images'))) process.exit(1)
const folder = await mkdtemp(join(tmpdir(), 'strongroom-deploy-'))
let failed = 0
for (const [name, check] of chosen) {
  const begun = Date.now()
  const problem = await check(folder).catch((error: Error) => error)
  console.log(`== ${name}: ${problem ? 'FAILED' : 'ok'} (${((Date.now() - begun) / 1000).toFixed(1)} s)`)
  if (problem) console.log(problem.message)
  if (problem) failed++
}
await rm(folder, { recursive: true, force: true })
console.log(`${chosen.length - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
