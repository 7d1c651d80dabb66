import { buildDashboard, run, runAll, STATIC_CHECKS } from './run.ts'
import { describeSizes } from './sizes.ts'

// `npm run check` checks format, lint, dead code, types, the walls between the layers and the columns of raw SQL, and
// builds the dashboard.

const failed = await runAll(STATIC_CHECKS)
const walls = await run({
  name: 'walls, columns of SQL',
  program: 'vitest/vitest.mjs',
  args: ['run', 'src/tools/imports.test.ts', 'src/tools/sql/statements.test.ts'],
  quiet: true,
})
const built = await buildDashboard()
console.log(`== sizes\n${describeSizes().join('\n')}`)
process.exit(failed === 0 && walls === 0 && built ? 0 : 1)
