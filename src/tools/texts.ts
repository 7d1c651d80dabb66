import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type NodePath, parseSync, traverse, types } from '@babel/core'
import { isForTests, readSources, ROOT } from './sources.ts'

const MACROS = new Set(['t', 'msg', 'plural', 'select', 'selectOrdinal', 'Trans', 'Plural', 'Select', 'SelectOrdinal'])

/** Words that are the same in every language: product, browsers, systems, keys, and values of the contract. */
const NAMES = new Set(
  `Strongroom, English, Deutsch, Edge, Opera, Firefox, Chrome, Safari, Samsung Internet, Android, Windows, ChromeOS, Linux,
  Enter, Escape, Tab, Home, End, Delete, Backspace, Space, Page, Del, Esc, Ctrl, Alt, Shift, Ctrl+K, Key{},
  ArrowUp, ArrowDown, ArrowLeft, ArrowRight,
  Failed, Pending, Processing, Ready, Unsupported, Workspace, Asset, Folder, Group, Thumbs.db, Etc/UTC, All Members, ApiFailure, TextField, ToggleButtonGroup, Snackbar`.split(
    /,\s+/,
  ),
)

/** Text of style sheets and queries: lengths and times, borders, selectors, keys. */
const CODE = /\d(px|m?s|fr|vh|%)|^[&.@]|\b(solid|minmax|thead|tbody|color-mix|layout|Highlight)\b|^"/
const MORE_CODE = new Set(['li button', 'row line', 'end center', 'label:hover span', 'page at fault', 'screen and {}'])

/** These hold file extensions, column names of files that are imported again, and XML. */
const EXEMPT = new Set([
  'src/dashboard/shared/branding/editor/mail-drawing.ts',
  'src/dashboard/shared/file-icon.tsx',
  'src/dashboard/ui/words/read-workbook.ts',
  'src/dashboard/ui/words/workbook.ts',
  'src/dashboard/pages/permissions/tools/permissions-file.ts',
])

/** Text that a person might read: two words, or one with a capital letter. */
const READABLE = /[a-z]{2,} [a-z]{2,}|^[A-Z][a-z]+/

export interface Text {
  path: string
  line: number
  text: string
}

/** Finds texts in the code of the dashboard that are in no catalogue. */
export function textsOutside(folder = 'src/dashboard'): Text[] {
  return readSources([folder])
    .filter(({ path }) => !isForTests(path) && !EXEMPT.has(path))
    .flatMap(({ path }) => textsIn(path))
}

function textsIn(path: string): Text[] {
  const texts: Text[] = []
  const add = (node: types.Node, text: string) => {
    const isText = READABLE.test(text) && !NAMES.has(text) && !CODE.test(text) && !MORE_CODE.has(text)
    if (isText) texts.push({ path, line: node.loc?.start.line ?? 0, text })
  }
  const tree = parseSync(readFileSync(join(ROOT, path), 'utf8'), {
    filename: path,
    configFile: false,
    babelrc: false,
    parserOpts: { plugins: ['typescript', ...(path.endsWith('x') ? (['jsx'] as const) : [])] },
  })
  if (!tree) throw new Error(`${path} cannot be read`)
  traverse(tree, {
    JSXText: (at) => void (inMacro(at) || add(at.node, at.node.value.trim())),
    StringLiteral: (at) => void (inMacro(at) || isTechnical(at) || add(at.node, at.node.value)),
    TemplateLiteral: (at) => {
      const text = at.node.quasis.map(({ value }) => value.cooked).join('{}')
      if (!inMacro(at) && !isTechnical(at)) add(at.node, text)
    },
  })
  return texts
}

const inMacro = (path: NodePath) =>
  path.findParent(({ node }) => {
    const name = types.isTaggedTemplateExpression(node)
      ? node.tag
      : types.isCallExpression(node)
        ? node.callee
        : types.isJSXElement(node)
          ? node.openingElement.name
          : undefined
    return (types.isIdentifier(name) || types.isJSXIdentifier(name)) && MACROS.has(name.name)
  }) !== null

const isTechnical = (path: NodePath) => {
  const { parent } = path
  return (
    types.isImportDeclaration(parent) ||
    types.isExportNamedDeclaration(parent) ||
    types.isTSLiteralType(parent) ||
    (types.isMemberExpression(parent) && types.isIdentifier(parent.property, { name: 'split' })) ||
    (types.isCallExpression(parent) && types.isImport(parent.callee)) ||
    (types.isNewExpression(parent) && types.isIdentifier(parent.callee, { name: 'Error' })) ||
    path.findParent(({ node }) => types.isJSXAttribute(node) && STYLES.has(String(node.name.name))) !== null
  )
}

const STYLES = new Set(['sx', 'style', 'className', 'columns', 'd', 'transform'])
