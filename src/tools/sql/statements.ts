import {
  type ArrowFunction,
  type Expression,
  type FunctionDeclaration,
  isArrowFunction,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isFunctionDeclaration,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isParenthesizedExpression,
  isReturnStatement,
  isTaggedTemplateExpression,
  isVariableDeclaration,
  type Node,
  type TaggedTemplateExpression,
} from 'typescript/unstable/ast'
import { API, type Project, SymbolFlags, type Type, TypeFlags, type TypeReference } from 'typescript/unstable/sync'
import { ROOT } from '../sources.ts'
import { type Column, columnsOf, listOf, mark } from './select-list.ts'

/** A statement in SQL whose rows have a declared type: sql<Row>`select …`. */
export interface Statement {
  /** File and line. */
  place: string
  /** The columns that it selects or returns. */
  columns: string[]
  properties: string[]
  /** Reasons why the columns are not known for certain. */
  doubts: string[]
}

/** Reads the statements of a TypeScript project, whose configuration file is given relative to the root. */
export function readStatements(configFile: string): Statement[] {
  const api = new API({ cwd: ROOT })
  try {
    const project = api.updateSnapshot({ openProject: configFile }).getProjects()[0]
    if (!project) throw new Error(`${configFile} is no project`)
    return [...templatesIn(project)].flatMap((template) => statementOf(project, template))
  } finally {
    api.close()
  }
}

function* templatesIn({ program, configFileName }: Project): Generator<TaggedTemplateExpression> {
  const folder = configFileName.replace(/[^/]*$/, '')
  for (const name of program.getSourceFileNames()) {
    const file = name.startsWith(folder) ? program.getSourceFile(name) : undefined
    if (file?.text.includes('sql')) yield* templatesBelow(file)
  }
}

function* templatesBelow(node: Node): Generator<TaggedTemplateExpression> {
  if (isTaggedTemplateExpression(node)) yield node
  for (const child of childrenOf(node)) yield* templatesBelow(child)
}

function childrenOf(node: Node): Node[] {
  const children: Node[] = []
  node.forEachChild((child) => {
    children.push(child)
    return undefined
  })
  return children
}

function statementOf(project: Project, template: TaggedTemplateExpression): Statement[] {
  const row = rowTypeOf(project, template)
  if (!row) return []
  const doubts: string[] = []
  const columns = new ColumnReader(project, doubts).columnsOf(template)
  const { fileName, text } = template.getSourceFile()
  const line = text.slice(0, template.getStart()).split('\n').length
  return [
    {
      place: `${fileName.slice(ROOT.length + 1)}:${line}`,
      columns,
      properties: [...propertiesOf(project, row)],
      doubts,
    },
  ]
}

/** Returns the type parameter of a `RawBuilder` of rows, not of one that builds a value in a larger statement. */
function rowTypeOf({ checker }: Project, template: TaggedTemplateExpression): Type | undefined {
  const builder = checker.getTypeAtLocation(template)
  if (builder?.getSymbol()?.name !== 'RawBuilder') return undefined
  const row = checker.getTypeArguments(builder as TypeReference)[0]
  const isRow = (type: Type): boolean => {
    if (type.isUnionType()) return type.getTypes().some(isRow)
    const isObject = (type.flags & (TypeFlags.Object | TypeFlags.Intersection | TypeFlags.TypeParameter)) !== 0
    return isObject && !checker.isArrayLikeType(type) && !['Date', 'Buffer'].includes(type.getSymbol()?.name ?? '')
  }
  return row && isRow(row) ? row : undefined
}

function propertiesOf(project: Project, type: Type): Set<string> {
  if (type.isUnionType()) return new Set(type.getTypes().flatMap((each) => [...propertiesOf(project, each)]))
  const names = project.checker.getPropertiesOfType(type).map(({ name }) => name)
  // The brand of a scope, whose key is a symbol, is no column.
  return new Set(names.filter((name) => !name.startsWith('__@')))
}

/** Reads the columns of templates. Follows fragments in the list of columns to where they are written. */
class ColumnReader {
  readonly #project: Project
  readonly #doubts: string[]

  constructor(project: Project, doubts: string[]) {
    this.#project = project
    this.#doubts = doubts
  }

  columnsOf(template: TaggedTemplateExpression): string[] {
    const text = textOf(template)
    return this.#namesOf(columnsOf(text) ?? this.#doubt(`is no statement: ${text}`), template)
  }

  #namesOf(columns: Column[], template: TaggedTemplateExpression): string[] {
    return columns.flatMap((column) => {
      if ('fragment' in column) return this.#namesIn(expressionsOf(template)[column.fragment])
      return column.name ?? this.#doubt(`has no name for ${column.text}`)
    })
  }

  /** A fragment that may be one of several must have the same columns in each case. */
  #namesIn(fragment: Expression | undefined): string[] {
    const cases = (fragment ? this.#templatesOf(fragment) : []).map((template) => {
      const text = textOf(template)
      return this.#namesOf(columnsOf(text) ?? listOf(text), template)
    })
    const names = cases[0] ?? this.#doubt(`has unknown columns in ${fragment?.getText()}`)
    const differs = cases.some((each) => each.toSorted().join() !== names.toSorted().join())
    return differs ? this.#doubt(`has different columns in the cases of ${fragment?.getText()}`) : names
  }

  #doubt(reason: string): never[] {
    this.#doubts.push(reason)
    return []
  }

  /** Returns the templates that an expression may evaluate to. */
  #templatesOf(node: Node): TaggedTemplateExpression[] {
    if (isTaggedTemplateExpression(node)) return [node]
    if (isParenthesizedExpression(node) || isCallExpression(node)) return this.#templatesOf(node.expression)
    if (isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap((each) => this.#templatesOf(each))
    if (isArrowFunction(node) || isFunctionDeclaration(node))
      return returnsOf(node).flatMap((each) => this.#templatesOf(each))
    if (isVariableDeclaration(node)) return node.initializer ? this.#templatesOf(node.initializer) : []
    const declaration = isIdentifier(node) ? this.#declarationOf(node) : undefined
    return declaration ? this.#templatesOf(declaration) : []
  }

  #declarationOf(node: Node): Node | undefined {
    const { checker } = this.#project
    const symbol = checker.getSymbolAtLocation(node)
    const original = symbol && symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    return original?.valueDeclaration?.resolve(this.#project)
  }
}

function returnsOf({ body }: ArrowFunction | FunctionDeclaration): Node[] {
  if (!body) return []
  return isBlock(body) ? [...returnsBelow(body)] : [body]
}

function* returnsBelow(node: Node): Generator<Node> {
  for (const child of childrenOf(node)) {
    if (isReturnStatement(child) && child.expression) yield child.expression
    else if (!isArrowFunction(child)) yield* returnsBelow(child)
  }
}

function expressionsOf({ template }: TaggedTemplateExpression): Expression[] {
  return isNoSubstitutionTemplateLiteral(template) ? [] : template.templateSpans.map(({ expression }) => expression)
}

function textOf({ template }: TaggedTemplateExpression): string {
  if (isNoSubstitutionTemplateLiteral(template)) return template.text
  return template.head.text + template.templateSpans.map(({ literal }, index) => mark(index) + literal.text).join('')
}
