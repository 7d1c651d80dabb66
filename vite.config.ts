import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { contractData } from './src/tools/contract-data.ts'
import { messages } from './src/tools/messages.ts'
import { precompress } from './src/tools/precompress.ts'
import { unusedParts } from './src/tools/unused-parts.ts'

/** Matches module paths on any operating system. */
const modules = (...paths: string[]) => new RegExp(`(${paths.join('|')})`.replaceAll('/', String.raw`[\\/]`))

const INITIAL = { tags: ['$initial' as const] }
const SHARED = { minShareCount: 2 }

/**
 * Lets the first page load few files with little that it does not need: first the modules that every page needs, then
 * what several of the usual first pages (sign-in, home, files) share, then what only the others share. A group includes
 * the imports of its modules, and is loaded as a whole if one of its modules is needed. A journey counts the bytes.
 */
const GROUPS = [
  { name: 'react', test: modules('node_modules/(react|scheduler|@tanstack/(react-)?query)'), ...INITIAL },
  { name: 'mui', test: modules('node_modules/(@mui|@emotion|stylis)'), ...INITIAL },
  { name: 'core', test: modules('src/(contract|dashboard)', 'node_modules'), ...INITIAL },
  {
    name: 'controls',
    ...SHARED,
    test: modules('@mui/material/Typography/', 'lucide-react', 'ui/(button|use-title|mark)\\.'),
  },
  { name: 'frame', test: modules('shared/frame/frame.tsx$') },
  {
    name: 'surfaces',
    ...SHARED,
    test: modules('@mui/material/(Paper|SvgIcon|utils/useSlot)', 'dashboard/api/say\\.', 'ui/dialogs/form-error\\.'),
  },
  {
    name: 'texts',
    ...SHARED,
    test: modules('@tanstack/(react-)?query', 'ui/words/format.'),
  },
  {
    name: 'listing',
    ...SHARED,
    test: modules(
      'shared/listing/(list-surface|selection|use-rows-in-view|sort|entries|use-filter-text|use-screen|folder-query|chosen-words)\\.',
      'shared/downloads/(use-download|zip-download|save)\\.',
      'shared/uploads/(upload|drop/(start-uploads|holds-files))\\.',
      'shared/(file-icon|names-of|on-our-origin|actions/(offers|action))\\.',
      'pages/files/(actions|use-files-url|room-|list/|tree/(use-tree|tree-rows|under)|change/destinations|access-effect/foreseen)',
      'ui/(store|fields/(search-field|typeahead))\\.',
    ),
  },
  {
    name: 'overview',
    ...SHARED,
    test: modules('@mui/material/Chip/', 'contract/acts.', 'shared/activity-', 'ui/(page-header|words/time)\\.'),
  },
  {
    name: 'fields',
    ...SHARED,
    test: modules(
      '@mui/material/(Divider|Link|InputBase|OutlinedInput|InputLabel|FormControl|FormLabel)/',
      'ui/(card-page|visually-hidden|states/note)\\.',
      'contract/shown-sentences.',
    ),
  },
  { name: 'states', ...SHARED, test: modules('ui/states/(error-state|empty-state)', 'shared/frame/not-found\\.') },
  { name: 'virtual', test: modules('@tanstack/(react-)?virtual'), ...SHARED },
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
  plugins: [unusedParts(), contractData(), messages(), react(), precompress()],
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
