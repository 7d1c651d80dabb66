import { join } from 'node:path'
import type { Rolldown } from 'vite'
import { ROOT } from '../sources.ts'

type Group = Rolldown.CodeSplittingGroup
type Context = Parameters<Extract<Group['name'], (...args: never[]) => unknown>>[1]

/** Matches module paths on any operating system. */
const modules = (...paths: string[]) => new RegExp(`(${paths.join('|')})`.replaceAll('/', String.raw`[\\/]`))

const INITIAL = { tags: ['$initial' as const] }
const SHARED = { minShareCount: 2 }

const EVERY_PAGE = ['main.tsx', 'shared/frame/page-error.tsx']

/** The usual first pages of a visit, their addresses without ids, and the modules that the browser loads for each. */
export const FIRST_PAGES = {
  'sign-in': { address: '/sign-in', modules: [...EVERY_PAGE, 'pages/sign-in/sign-in-page.tsx'] },
  home: { address: '/', modules: [...EVERY_PAGE, 'shared/frame/frame.tsx', 'pages/home/home-page.tsx'] },
  files: {
    address: '/workspaces/0/files',
    modules: [...EVERY_PAGE, 'shared/frame/frame.tsx', 'pages/files/files-page.tsx'],
  },
}

/** These export far more than a page imports from them, which is initial anyway. */
const BARRELS = modules('@mui/(material/styles|system)/index\\.mjs$')

type FirstPage = keyof typeof FIRST_PAGES

/** A group of the modules that exactly these first pages need. */
function neededBy(name: string, pages: FirstPage[], more?: Partial<Group>): Group {
  const wanted = pages.toSorted().join()
  return {
    ...more,
    debugName: name,
    name: (id, context) => (pagesThatNeed(id, context).join() === wanted ? name : null),
  }
}

const closures = new Map<FirstPage, Set<string>>()

function pagesThatNeed(id: string, context: Context): FirstPage[] {
  const pages = Object.keys(FIRST_PAGES).toSorted() as FirstPage[]
  return pages.filter((page) => {
    const closure = closures.get(page) ?? closureOf(page, context)
    closures.set(page, closure)
    return closure.has(id)
  })
}

function closureOf(page: FirstPage, context: Context): Set<string> {
  const closure = new Set(FIRST_PAGES[page].modules.map((path) => join(ROOT, 'src/dashboard', path)))
  for (const id of closure) {
    if (BARRELS.test(id)) continue
    const module = context.getModuleInfo(id)
    if (!module) throw new Error(`There is no module ${id}`)
    for (const imported of module.importedIds) closure.add(imported)
  }
  return closure
}

/**
 * Lets the first page load few files with little that it does not need: the libraries and modules of every page, then
 * those that several of the usual first pages need, then those of one page that others share. A group includes the
 * imports of its modules, and is loaded as a whole if one of its modules is needed. A journey counts the bytes.
 */
export const GROUPS: Group[] = [
  { name: 'libraries', test: modules('node_modules'), ...INITIAL },
  neededBy('core', ['sign-in', 'home', 'files']),
  neededBy('frame', ['home', 'files']),
  neededBy('overview', ['sign-in', 'home'], SHARED),
  neededBy('choices', ['sign-in', 'files'], SHARED),
  neededBy('files', ['files']),
  neededBy('fields', ['sign-in'], SHARED),
  neededBy('home', ['home'], SHARED),
  { name: 'looks', test: modules('shared/branding/(logo|wear-accents)', 'src/contract/endpoints/looks'), ...SHARED },
  { name: 'virtual', test: modules('@tanstack/(react-)?virtual'), ...SHARED },
  { name: 'dropzone', test: modules('node_modules/(react-dropzone|file-selector|attr-accept)'), ...SHARED },
  {
    name: 'widgets',
    ...SHARED,
    test: modules(
      'node_modules/(@mui|@popperjs|react-transition-group)',
      'ui/(choice|confirm-dialog|date-field|discard-dialog|form-dialog|name-dialog|row-menu|switch-row|text-form).',
      'shared/(actions/action-menu|person-field|sealed-copies|watermark-preview)',
    ),
  },
  { name: 'shared', test: modules('src/dashboard/(shared|ui)', 'src/contract', 'node_modules'), ...SHARED },
]

/** Most lazy modules need these. They are there by then, or the browser loads them beside the page, as the frame. */
const THERE = /assets\/(rolldown-runtime|libraries|core|frame)-/

/**
 * The files that the browser loads together with a lazy module. The others, and the module itself, would only make the
 * list longer, which the first page loads.
 */
export const loadedWith = (module: string, files: string[]): string[] =>
  files.filter((file) => file !== module && !THERE.test(file))
