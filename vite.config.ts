import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { contractData } from './src/tools/contract-data.ts'
import { messages } from './src/tools/messages.ts'
import { precompress } from './src/tools/precompress.ts'

/** Matches module paths on any operating system. */
const modules = (...paths: string[]) => new RegExp(`(${paths.join('|')})`.replaceAll('/', String.raw`[\\/]`))

const INITIAL = { tags: ['$initial' as const] }
const SHARED = { minShareCount: 2 }

/**
 * Lets the first page load only a few files with little unneeded code: first the modules that every page needs, then
 * the frame around the pages, then modules that several pages share. A group includes the imports of its modules, and
 * is loaded as a whole if one of its modules is needed, so modules with fields and dialogs have groups of their own.
 */
const GROUPS = [
  { name: 'react', test: modules('node_modules/(react|scheduler|@tanstack/(react-)?query)'), ...INITIAL },
  { name: 'mui', test: modules('node_modules/(@mui|@emotion|stylis)'), ...INITIAL },
  { name: 'core', test: modules('src/(contract|dashboard)', 'node_modules'), ...INITIAL },
  { name: 'frame', test: modules('shared/frame/frame.tsx$') },
  {
    name: 'parts',
    ...SHARED,
    test: modules(
      '@mui/material/(Alert|Button|Chip|Divider|Link|Stack)/',
      '@tanstack/(react-)?query',
      'ui/(card-page|empty-state|error-state|form-error|format|note|page-header|part|time|use-title|visually-hidden).',
      'shared/activity-place.',
      'sealed-copies/sealed-copies.ts',
    ),
  },
  { name: 'icons', test: modules('lucide-react'), ...SHARED },
  { name: 'virtual', test: modules('@tanstack/(react-)?virtual'), ...SHARED },
  {
    name: 'inputs',
    ...SHARED,
    test: modules('@mui/material/(OutlinedInput|InputAdornment|InputLabel|FormControl|FormHelperText)/'),
  },
  {
    name: 'widgets',
    ...SHARED,
    test: modules(
      'node_modules/(@mui|@popperjs|react-transition-group)',
      'ui/(choice|confirm-dialog|date-field|discard-dialog|form-dialog|name-dialog|row-menu|switch-row|text-form).',
      'shared/(actions/action-menu|person-field|sealed-copies|watermark-preview)',
    ),
  },
  { name: 'shared', test: modules('src/dashboard/(shared|ui)', 'node_modules'), ...SHARED },
]

export default defineConfig({
  plugins: [contractData(), messages(), react(), precompress()],
  build: {
    outDir: 'dist',
    target: 'es2023',
    // An inlined asset is a data: URL, which the content security policy allows for images only.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: GROUPS },
      },
    },
  },
  test: {
    // A busy machine must not fail the tests.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    // Tests wait for databases and processes more than they compute, so two files run at a time on two cores too.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        extends: true,
        test: {
          name: 'dashboard',
          include: ['src/dashboard/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          setupFiles: ['src/dashboard/testing/setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['src/{service,proxy,client}/**/*.test.ts'],
          globalSetup: ['src/service/testing/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'node', include: ['src/{contract,signing,mail,wire,embedded,tools}/**/*.test.ts'] },
      },
    ],
  },
})
