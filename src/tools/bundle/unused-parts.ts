import type { Plugin } from 'vite'
import { parseText, type Node, type Span } from '../syntax.ts'
import { PARTS, type Part } from './parts.ts'

const LEFT_OUT = `throw Error('Not in the build: src/tools/bundle/parts.ts')`

/**
 * Leaves parts of libraries out of the build. Fails if a part no longer exists, because after an upgrade the reason why
 * it is unused must be checked again.
 */
export function unusedParts(parts: readonly Part[] = PARTS): Plugin {
  const missing = new Set(parts)
  const partAt = (id: string) => parts.find(({ path }) => path.test(id.replaceAll('\\', '/')))
  return {
    name: 'unused-parts',
    apply: 'build',
    enforce: 'pre',
    load: (id) => partAt(id)?.code,
    transform(code, id) {
      const part = partAt(id)
      if (!part) return undefined
      missing.delete(part)
      return { code: withoutFunctions(withoutTexts(code, part), part), map: null }
    },
    buildEnd(error) {
      if (error || missing.size === 0) return
      this.error(
        `Unused parts to check again, the build lacks them: ${[...missing].map(({ path }) => path).join(', ')}`,
      )
    },
  }
}

function withoutTexts(code: string, { path, texts = [] }: Part): string {
  return texts.reduce((kept, [text, instead]) => {
    const without = kept.replace(text, instead)
    if (without === kept) throw new Error(`Unused part to check again: ${path} lacks ${text}`)
    return without
  }, code)
}

/** Replaces the bodies of functions by their names, wherever they are declared. */
function withoutFunctions(code: string, { path, functions = {} }: Part): string {
  if (Object.keys(functions).length === 0) return code
  const declared = parseText('library.js', code).nodes.filter(({ type }) => type === 'FunctionDeclaration')
  const bodies = Object.entries(functions).map(([name, instead]) => {
    const [found, ...others] = declared.filter(({ id }) => (id as Node & { name: string }).name === name)
    if (!found || others.length > 0) throw new Error(`Unused part to check again: ${path} has not one function ${name}`)
    return { ...(found['body'] as Span), instead: instead ?? LEFT_OUT }
  })
  return bodies
    .toSorted((one, other) => other.start - one.start)
    .reduce((kept, { start, end, instead }) => `${kept.slice(0, start)}{ ${instead} }${kept.slice(end)}`, code)
}
