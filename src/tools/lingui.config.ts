import { resolve } from 'node:path'
import babel from '@lingui/cli/api/extractors/babel'
import { defineConfig, type ExtractorType } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { FEED_ACTS } from '../contract/acts.ts'

/** The sentences of the contract's tables, which are their own ids. */
const tables: ExtractorType = {
  match: (path) => path.endsWith('contract/acts.ts'),
  extract(path, _code, onMessageExtracted) {
    for (const { sentence } of Object.values(FEED_ACTS)) onMessageExtracted({ id: sentence, origin: [path, 1] })
  },
}

// The English texts are in the code; `npm run messages` keeps the catalogues up to date. `pseudo` is for tests: a text
// that stays readable in it has bypassed the catalogue.
export default defineConfig({
  rootDir: resolve(import.meta.dirname, '../..'),
  sourceLocale: 'en',
  locales: ['en', 'de', 'pseudo'],
  pseudoLocale: 'pseudo',
  catalogs: [
    {
      path: '<rootDir>/src/dashboard/locales/{locale}',
      include: ['<rootDir>/src/dashboard', '<rootDir>/src/contract/acts.ts'],
      exclude: ['**/*.test.*', '**/testing/**'],
    },
  ],
  extractors: [tables, babel],
  format: formatter({ lineNumbers: false, printPlaceholdersInComments: false }),
  orderBy: 'origin',
})
