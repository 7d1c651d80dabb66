import { resolve } from 'node:path'
import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'

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
      include: ['<rootDir>/src/dashboard'],
      exclude: ['**/*.test.*', '**/testing/**'],
    },
  ],
  format: formatter({ lineNumbers: false, printPlaceholdersInComments: false }),
  orderBy: 'origin',
})
