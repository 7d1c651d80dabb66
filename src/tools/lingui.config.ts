import { resolve } from 'node:path'
import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'

// English stands in the code; the catalogues are kept in step by `npm run messages`. `pseudo` is for tests: what it
// leaves readable has bypassed the catalogue.
export default defineConfig({
  rootDir: resolve(import.meta.dirname, '../..'),
  sourceLocale: 'en',
  locales: ['en', 'de', 'pseudo'],
  pseudoLocale: 'pseudo',
  catalogs: [
    {
      path: '<rootDir>/src/dashboard/locales/{locale}',
      include: ['<rootDir>/src/dashboard'],
      exclude: ['**/*.test.*', '**/testing/**'],
    },
  ],
  format: formatter({ lineNumbers: false, printPlaceholdersInComments: false }),
  orderBy: 'origin',
})
