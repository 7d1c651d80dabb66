import { resolve } from 'node:path'
import babel from '@lingui/cli/api/extractors/babel'
import { defineConfig, type ExtractorType } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { FEED_ACTS } from '../contract/acts.ts'
import { FIELD_RULES } from '../contract/field-rules.ts'
import { FINDINGS } from '../contract/endpoints/installation/findings.ts'
import { SHOWN_REFUSALS } from '../contract/refusals.ts'
import { DEMO_ROLES, DOCUMENT_REASONS, OPENING_REFUSALS } from '../contract/shown-sentences.ts'

const TABLES = {
  'contract/acts.ts': Object.values(FEED_ACTS).map(({ shown }) => shown),
  'contract/refusals.ts': Object.values(SHOWN_REFUSALS).map(({ sentence }) => sentence),
  'contract/field-rules.ts': Object.values(FIELD_RULES),
  'contract/shown-sentences.ts': [DOCUMENT_REASONS, OPENING_REFUSALS, DEMO_ROLES].flatMap((table) =>
    Object.values(table),
  ),
  'contract/endpoints/installation/findings.ts': Object.values(FINDINGS).flatMap(({ message, advice }) =>
    [message, advice ?? []].flat(),
  ),
}

const pages = (names: string[]) => names.map((page) => `<rootDir>/src/dashboard/pages/${page}`)

/** Folder of `locales` -> sources whose texts are in its catalogues, which only these pages load. */
const APART = {
  administration: [
    ...pages([
      'documents',
      'groups',
      'home/new-workspace',
      'organization',
      'people',
      'permissions',
      'settings',
      'system',
      'teams',
    ]),
    ...pages(['access', 'item-activity', 'readers', 'versions'].map((part) => `files/details/${part}.tsx`)),
    '<rootDir>/src/dashboard/pages/files/list/protection.tsx',
    '<rootDir>/src/dashboard/pages/files/view-as/seen-zip.tsx',
    '<rootDir>/src/dashboard/shared/branding/editor',
    '<rootDir>/src/contract/endpoints/installation/findings.ts',
  ],
  deal: [
    ...pages([
      'account',
      'activities',
      'engagement',
      'files/drafts/dialogs',
      'files/drafts/first-steps',
      'news',
      'questions',
      'terms',
    ]),
    '<rootDir>/src/dashboard/shared/asking',
  ],
}
const TESTS = ['**/*.test.*', '**/testing/**']

/** The sentences of the contract's tables, which are their own ids. */
const tables: ExtractorType = {
  match: (path) => Object.keys(TABLES).some((table) => path.endsWith(table)),
  extract(path, _code, onMessageExtracted) {
    for (const [table, sentences] of Object.entries(TABLES))
      if (path.endsWith(table)) for (const id of sentences) onMessageExtracted({ id, origin: [path, 1] })
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
      include: ['<rootDir>/src/dashboard', ...Object.keys(TABLES).map((table) => `<rootDir>/src/${table}`)],
      exclude: [...TESTS, ...Object.values(APART).flat()],
    },
    ...Object.entries(APART).map(([folder, include]) => ({
      path: `<rootDir>/src/dashboard/locales/${folder}/{locale}`,
      include,
      exclude: TESTS,
    })),
  ],
  extractors: [tables, babel],
  format: formatter({ lineNumbers: false, printPlaceholdersInComments: false }),
  orderBy: 'origin',
})
