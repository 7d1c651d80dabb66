import { describe, expect, test } from 'vitest'
import { type Import, importsOf, isForTests, readSources, type Source } from './sources.ts'

// Boundaries between layers that types alone do not enforce.

const sources = readSources(['src', 'e2e'])
const ours = sources.filter(({ path }) => !isForTests(path))

/** Layer -> other layers that it may import. */
const LAYERS: Record<string, string[]> = {
  contract: [],
  signing: [],
  mail: [],
  reader: [],
  wire: ['contract'],
  client: ['contract', 'signing'],
  service: ['contract', 'signing', 'mail', 'wire'],
  proxy: ['contract', 'signing', 'mail', 'wire'],
  dashboard: ['contract'],
  embedded: ['service', 'proxy', 'client', 'contract', 'mail', 'wire'],
}

/**
 * Folder of the service -> folders it may import, besides `base` (errors, secrets, config, …), which every folder may
 * import. The programs app.ts, main.ts and worker.ts import any folder, and no folder imports them.
 */
const ROOMS_OF_SERVICE: Record<string, string[]> = {
  base: [],
  db: [],
  audit: [],
  auth: ['db'],
  access: ['auth', 'db'],
  jobs: ['db'],
  blobs: ['db', 'jobs', 'store'],
  mail: ['access', 'auth', 'db', 'jobs', 'store'],
  store: ['access', 'audit', 'auth', 'blobs', 'db', 'jobs', 'mail'],
  events: ['access', 'db', 'store'],
  doctor: ['audit', 'blobs', 'db', 'documents', 'store'],
  documents: ['access', 'auth', 'blobs', 'db', 'jobs', 'store'],
  endpoints: ['access', 'auth', 'content', 'db', 'documents', 'http', 'jobs', 'mail', 'store'],
  content: ['access', 'auth', 'blobs', 'documents', 'http', 'store'],
  http: ['access', 'audit', 'auth', 'blobs', 'content', 'db', 'documents', 'endpoints', 'events', 'jobs', 'store'],
}
/** Tables of plain data that every folder of the service may import. They import nothing but types of the contract. */
const TABLES = ['src/service/documents/formats.ts']
const PROGRAMS = /^src\/service\/(app|main|worker)\.ts$/

/** Part of the dashboard -> parts it may import. Pages and the files that combine them are checked separately. */
const BELOW_IN_DASHBOARD: Record<string, string[]> = {
  ui: ['ui', 'locales'],
  api: ['api'],
  shared: ['shared', 'api', 'ui', 'paths.ts', 'theme.ts'],
}

const partOf = (path: string, depth: number): string => path.split('/')[depth] ?? ''

/** Lists `from -> target` for each import that breaks the rule. */
function breaches(
  files: Source[],
  breaks: (path: string, target: string, each: Import) => boolean,
  own: boolean = true,
): string[] {
  return files.flatMap(({ path, imports }) =>
    imports
      .filter((each) => each.own === own && breaks(path, each.target, each))
      .map(({ target }) => `${path} -> ${target}`),
  )
}

/** The reference of the bench uses no code of the product. */
const isReference = (path: string) => path === 'src/tools/bench/price/reference-service.ts'

const within = (folder: string) => ours.filter(({ path }) => path.startsWith(`${folder}/`))

function uses(files: Source[], pattern: RegExp): string[] {
  return files.filter(({ text }) => pattern.test(text)).map(({ path }) => path)
}

describe('layers', () => {
  test.each(Object.entries(LAYERS))('%s imports %o only', (layer, allowed) => {
    const outside = (_: string, target: string) =>
      partOf(target, 0) !== 'src' || ![layer, ...allowed].includes(partOf(target, 1))
    expect(breaches(within(`src/${layer}`), outside)).toEqual([])
  })

  test('only tests import test helpers', () => {
    expect(
      breaches(
        within('src').filter(({ path }) => !path.startsWith('src/tools/')),
        (_, target) => isForTests(target),
      ),
    ).toEqual([])
  })

  test('contract, dashboard and the reader of sealed files do not import Node modules', () => {
    const files = [...within('src/contract'), ...within('src/dashboard'), ...within('src/reader')]
    expect(breaches(files, (_, target) => target.startsWith('node:'), false)).toEqual([])
  })
})

describe('inside the service', () => {
  /** Returns the folder of a file, or undefined for a program. */
  const roomOf = (path: string) => /^src\/service\/([^/]+)\//.exec(path)?.[1]

  test('every folder is listed', () => {
    const rooms = new Set(within('src/service').flatMap(({ path }) => roomOf(path) ?? []))
    expect([...rooms].toSorted()).toEqual(Object.keys(ROOMS_OF_SERVICE).toSorted())
  })

  test.each(Object.entries(ROOMS_OF_SERVICE))('%s imports %o only', (room, allowed) => {
    const outside = (_: string, target: string) => {
      const other = roomOf(target)
      if (TABLES.includes(target)) return false
      return target.startsWith('src/service/') && (!other || ![room, 'base', ...allowed].includes(other))
    }
    expect(breaches(within(`src/service/${room}`), outside)).toEqual([])
  })

  test('tables that every folder may import are plain data', () => {
    const tables = sources.filter(({ path }) => TABLES.includes(path))
    expect(tables.map(({ path }) => path)).toEqual(TABLES)
    expect(breaches(tables, (_, target, { typeOnly }) => !typeOnly || !target.startsWith('src/contract/'))).toEqual([])
    expect(breaches(tables, () => true, false)).toEqual([])
  })

  test('outside of the folders there are only the programs', () => {
    const outside = within('src/service').filter(({ path }) => !roomOf(path))
    expect(outside.map(({ path }) => path).filter((path) => !PROGRAMS.test(path))).toEqual([])
  })

  test('endpoints do not import their siblings', () => {
    const sibling = (_: string, target: string) => target.startsWith('src/service/endpoints/')
    expect(breaches(within('src/service/endpoints'), sibling)).toEqual([])
  })

  test('only http imports Fastify', () => {
    const files = ours.filter(({ path }) => !path.startsWith('src/service/http/') && !isReference(path))
    expect(breaches(files, (_, target) => /^@?fastify(\/|$)/.test(target), false)).toEqual([])
  })

  test('only blobs, documents, migrations and the table of processes use the file system', () => {
    const files = within('src/service').filter(
      ({ path }) => !/^src\/service\/((blobs|documents)\/|db\/migrate\.ts|base\/process-name\.ts)/.test(path),
    )
    expect(breaches(files, (_, target) => target.startsWith('node:fs'), false)).toEqual([])
  })

  test('only store/audit/activities.ts writes activities, so that the audit trail has them all', () => {
    const files = within('src/service').filter(({ path }) => path !== 'src/service/store/audit/activities.ts')
    expect(uses(files, /insert into activities|insertInto\('activities'\)/)).toEqual([])
  })

  test('rows of raw SQL have only the type that their statement declares, whose columns src/tools/sql checks', () => {
    const retyped =
      /\$castTo\b|\bas (unknown as )?(RawBuilder|QueryResult)\b|\b(executeQuery|raw)<|\brows(\??\.?\[\w+\])?!? as (?!const)/
    // It binds values to a statement with a declared type.
    const allowed = ['src/service/db/statement.ts']
    expect(uses([...within('src/service'), ...within('src/embedded')], retyped)).toEqual(allowed)
  })

  /** A fact that decides about access -> how it looks in SQL or in the query builder, and who else may write that. */
  const FACTS: Record<string, { spelling: RegExp; elsewhere?: string[] }> = {
    'a subtree is a range of id paths': { spelling: /id_path_end/ },
    'the nearest override decides': { spelling: /cardinality\([^)]*id_path\)\s+desc|\bdepth\s+desc|\bdepth\s*\*/ },
    'a group grants nothing from its expiry on': {
      spelling: /expire_workspace_access_at['"]?,?\s*['"]?(is null|is',|[<>])/,
    },
    'workspace admins are the members of one group': {
      spelling: /['"]workspace_admins/,
      elsewhere: ['db/schema.ts', 'store/workspaces/workspaces.ts'],
    },
    'overrides are rows of folder_permissions': {
      spelling: /folder_permissions/,
      elsewhere: [
        'db/schema.ts',
        // These change overrides, or show the overrides themselves.
        'store/rights/foreseen-places.ts',
        'store/rights/permission-waves.ts',
        'store/templates/blueprint.ts',
      ],
    },
  }

  test.each(Object.entries(FACTS))('only access/sql.ts spells that %s', (_, { spelling, elsewhere = [] }) => {
    const allowed = ['access/sql.ts', ...elsewhere].map((path) => `src/service/${path}`)
    const spelled = uses(within('src/service'), spelling)
    expect(spelled).toEqual(expect.arrayContaining(allowed))
    expect(spelled.filter((path) => !allowed.includes(path))).toEqual([])
  })

  test('only access/enter makes scopes, except those for file content', () => {
    const scopes = sources.find(({ path }) => path === 'src/service/access/scopes.ts')?.text ?? ''
    const names = [...scopes.matchAll(/export type (\w+) =[^=]*Branded</g)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(5)
    const makers: Record<string, string[]> = {
      PlainFile: ['access/open-for-download.ts'],
      MarkedFile: ['access/open-for-download.ts'],
      UnmarkedPages: ['access/view-pages.ts', 'documents/watermark/marker.ts', 'documents/sealed/make-copy.ts'],
    }
    const forged = names.flatMap((name) => {
      const allowed = (makers[name] ?? ['access/enter/']).map((path) => `src/service/${path}`)
      const cast = new RegExp(`\\bas (unknown as )?${name}\\b(?!\\s*(,|\\}))`)
      return uses(within('src/service'), cast)
        .filter((path) => !allowed.some((each) => path.startsWith(each)))
        .map((path) => `${path} makes ${name}`)
    })
    expect(forged).toEqual([])
  })
})

describe('inside the dashboard', () => {
  test.each(Object.entries(BELOW_IN_DASHBOARD))('%s imports %o only', (part, below) => {
    const outside = (_: string, target: string) =>
      target.startsWith('src/dashboard/') && !below.includes(partOf(target, 2))
    expect(breaches(within(`src/dashboard/${part}`), outside)).toEqual([])
  })

  test('routing, drops and server state are those of well-kept libraries', () => {
    const imported = new Set(within('src/dashboard').flatMap(({ imports }) => imports.map(({ target }) => target)))
    const libraries = ['react-router-dom', 'react-dropzone', '@tanstack/react-query']
    expect(libraries.filter((library) => !imported.has(library))).toEqual([])
  })

  test('no page uses what the build leaves out of the libraries (src/tools/bundle)', () => {
    const files = within('src/dashboard')
    const importedFrom = (library: string) =>
      files.flatMap(({ text }) => text.match(new RegExp(`import \\{[^}]*\\} from '${library}'`, 'g')) ?? [])
    const ofRouter = /\b(use(Fetchers?|Submit|FormAction|ActionData|ViewTransition\w*)|Form|ScrollRestoration|Await)\b/
    expect(importedFrom('react-router-dom').filter((names) => ofRouter.test(names))).toEqual([])
    const ofReact =
      /\b(ViewTransition|Activity|SuspenseList|hydrateRoot|pre(connect|load|init)\w*|use(Action|Form)\w+)\b/
    expect(importedFrom('react(-dom(/client)?)?').filter((names) => ofReact.test(names))).toEqual([])
    const elements = /<(title|meta|link|style|script|base|\w+-\w+)[\s>]|<Fragment ref/
    expect(uses(files, elements)).toEqual([])
    expect(
      uses(files, /\s(prefetch=|viewTransition\b)|containerQueries|modularCssLayers|patchRoutesOnNavigation/),
    ).toEqual([])
    expect(uses(files, /<(form|button|input)\b[^>]*\s(form)?[aA]ction=/)).toEqual([])
    const ofMui = /'@mui\/material\/(AppBar|Avatar|FilledInput|SnackbarContent|SpeedDial|Step)/
    expect(uses(files, ofMui)).toEqual([])
    expect(uses(files, /<(Slider|Switch)\b[^>]*\bcolor=|<(Alert|TextField)\b[^>]*\bvariant=['"]filled/)).toEqual([])
    expect(uses(files, /nativeColor|toRuntimeSource/)).toEqual([])
    const ownProps = /styled\('\w+'\)(<|\(\(\{(?! theme \}))/
    expect(uses(files, ownProps)).toEqual([])
  })

  test('ui does not import the contract', () => {
    expect(breaches(within('src/dashboard/ui'), (_, target) => target.startsWith('src/contract/'))).toEqual([])
  })

  test('pages do not import other pages', () => {
    const sibling = (path: string, target: string) =>
      target.startsWith('src/dashboard/pages/') && partOf(target, 3) !== partOf(path, 3)
    expect(breaches(within('src/dashboard/pages'), sibling)).toEqual([])
  })

  test('only api uses the query hooks of TanStack; every other part reads by useRead and useReading', () => {
    const files = within('src/dashboard').filter(({ path }) => !path.startsWith('src/dashboard/api/'))
    expect(uses(files, /\buse(Suspense)?(Infinite)?(Query|Queries)\b/)).toEqual([])
  })

  test('only paths.ts builds page URLs', () => {
    const files = within('src/dashboard').filter(({ path }) => !/\/(paths|routes)\.tsx?$/.test(path))
    expect(uses(files, /\b(to|href)=\{?["'`]\/|navigate\(["'`]\//)).toEqual([])
  })
})

describe('everywhere', () => {
  test('journeys take their test from journey.ts, which can slow the browser down', () => {
    const files = sources.filter(({ path }) => path.endsWith('.e2e.ts'))
    expect(files.length).toBeGreaterThan(10)
    expect(breaches(files, (_, target, { typeOnly }) => target === '@playwright/test' && !typeOnly, false)).toEqual([])
  })

  test('only config.ts reads the environment', () => {
    // The bootstrap runs before anything can be imported; tools and e2e tests are not the product.
    const files = ours.filter(
      ({ path }) =>
        !path.endsWith('/config.ts') && !/^(src\/tools|e2e)\//.test(path) && path !== 'src/embedded/bootstrap.mjs',
    )
    expect(uses(files, /process\.env|import\.meta\.env/)).toEqual([])
  })

  test('the packages of OpenTelemetry are loaded by open-traces.ts alone, when it is called', () => {
    const others = ours.filter(({ path }) => path !== 'src/wire/traces/open-traces.ts')
    expect(uses(others, /@opentelemetry/)).toEqual([])
    expect(uses(ours, /^import [^\n]*@opentelemetry/m)).toEqual([])
  })

  test('only signing computes signatures and encrypts', () => {
    const files = ours.filter(({ path }) => !path.startsWith('src/signing/') && !isReference(path))
    expect(uses(files, /\b(createHmac|create(C|Dec)ipheriv)\b/)).toEqual([])
  })
})

describe('the reader of imports', () => {
  test('finds every form of import, and type-only imports', () => {
    const text = `import a from './a.ts'\nimport type { B } from '../b.ts'\nexport * from "pkg"\nimport './c.css'\nawait import('node:fs')`
    expect(importsOf('src/x/y.ts', text)).toEqual([
      { target: 'src/x/a.ts', own: true, typeOnly: false },
      { target: 'src/b.ts', own: true, typeOnly: true },
      { target: 'pkg', own: false, typeOnly: false },
      { target: 'src/x/c.css', own: true, typeOnly: false },
      { target: 'node:fs', own: false, typeOnly: false },
    ])
  })
})
