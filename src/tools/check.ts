import { dirname } from 'node:path'
import { run, runAll, STATIC_CHECKS } from './run.ts'
import { isForTests, readSources } from './sources.ts'

/** A folder with more source files than this has outgrown itself. */
const MAX_FILES = 20

// `npm run check` checks format, lint, dead code, types, and the walls between the layers.

const failed = await runAll(STATIC_CHECKS)
const walls = await run({
  name: 'walls',
  program: 'vitest/vitest.mjs',
  args: ['run', 'src/tools/imports.test.ts'],
  quiet: true,
})
for (const [folder, files] of folderSizes())
  if (files > MAX_FILES) console.log(`== ${folder}: ${files} source files, more than ${MAX_FILES}`)
process.exit(failed === 0 && walls === 0 ? 0 : 1)

function folderSizes(): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const { path } of readSources(['src']))
    if (!isForTests(path)) sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1)
  return sizes
}
