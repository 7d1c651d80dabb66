import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type NodePath, parseSync, traverse, types } from '@babel/core'
import { readSources, ROOT } from './sources.ts'

const MACROS = new Set(['t', 'msg', 'plural', 'select', 'selectOrdinal', 'Trans', 'Plural', 'Select', 'SelectOrdinal'])

/** The same in every language: the product, browsers and systems, keys, and values of the contract. */
const NAMES = new Set(
  `Strongroom English Deutsch Edge Opera Firefox Chrome Safari Android Windows ChromeOS Linux
  Enter Escape Tab Home End Delete Backspace Space Page Del Esc Ctrl Alt Shift Ctrl+K Key{}
  Failed Pending Processing Ready Unsupported Workspace`.split(/\s+/),
)
const MORE_NAMES = new Set(['Samsung Internet'])

/** Of style sheets: lengths and times, borders, selectors. */
const CSS = /\d(px|m?s|fr|%)|^[&.]|\b(solid|minmax|thead|tbody|color-mix)\b|^"/

/** Two words, or one with a capital letter: what a person might read. */
const READABLE = /[a-z]{2,} [a-z]{2,}|^[A-Z][a-z]+/

export interface Text {
  path: string
  line: number
  text: string
}

/** Texts in the code of the dashboard that are in no catalogue. */
export function textsOutside(folder = 'src/dashboard'): Text[] {
  return readSources([folder])
    .filter(({ path }) => !/\.test\.|\/testing\//.test(path))
    .flatMap(({ path }) => textsIn(path))
}

function textsIn(path: string): Text[] {
  const texts: Text[] = []
  const add = (node: types.Node, text: string) => {
    const isName = NAMES.has(text) || MORE_NAMES.has(text) || CSS.test(text)
    if (READABLE.test(text.trim()) && !isName) texts.push({ path, line: node.loc?.start.line ?? 0, text })
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

const isTechnical = ({ parent, parentPath }: NodePath) =>
  types.isImportDeclaration(parent) ||
  types.isExportNamedDeclaration(parent) ||
  types.isTSLiteralType(parent) ||
  (types.isMemberExpression(parent) && types.isIdentifier(parent.property, { name: 'split' })) ||
  (types.isCallExpression(parent) && types.isImport(parent.callee)) ||
  (types.isNewExpression(parent) && types.isIdentifier(parent.callee, { name: 'Error' })) ||
  (parentPath?.findParent(({ node }) => types.isJSXAttribute(node) && STYLES.has(String(node.name.name))) ?? null) !==
    null

const STYLES = new Set(['sx', 'style', 'columns', 'd', 'transform'])
