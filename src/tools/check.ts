import { run, runAll, STATIC_CHECKS } from './run.ts'
import { describeSizes } from './sizes.ts'

// `npm run check` checks format, lint, dead code, types, and the walls between the layers.

const failed = await runAll(STATIC_CHECKS)
const walls = await run({
  name: 'walls',
  program: 'vitest/vitest.mjs',
  args: ['run', 'src/tools/imports.test.ts'],
  quiet: true,
})
console.log(`== sizes\n${describeSizes().join('\n')}`)
process.exit(failed === 0 && walls === 0 ? 0 : 1)
