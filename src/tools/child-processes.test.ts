import { expect, test } from 'vitest'
import { isForTests, readSources } from './sources.ts'
import { type Node, parseFile, parseText, type Parsed } from './syntax.ts'

/** Expressions that build a child's environment without a prototype and with every variable named. */
const MAKERS = /^(childEnvironment\(|buildEnvironment\(|SYSTEM_ENVIRONMENT$|ENVIRONMENT$)/
const STARTERS = new Set(['spawn', 'spawnSync', 'fork', 'exec', 'execSync', 'execFile', 'execFileSync'])

/** Returns the source of each call that starts a process with any other environment, or inherits ours. */
function unnamed({ text, nodes }: Parsed): string[] {
  const source = (node: Node) => text.slice(node.start, node.end)
  return nodes
    .filter(({ type, callee }) => type === 'CallExpression' && STARTERS.has((callee as Node)['name'] as string))
    .filter(({ arguments: given }) => (given as Node[]).length > 0)
    .filter(({ arguments: given }) => {
      const options = (given as Node[]).filter(({ type }) => type === 'ObjectExpression')
      const properties = options.flatMap((each) => each['properties'] as Node[])
      const env = properties.find(({ key }) => key && source(key as Node) === 'env')
      return !env || !MAKERS.test(source(env['value'] as Node))
    })
    .map(source)
}

test('K1: every child process of the product gets an environment of named variables', () => {
  const files = readSources(['src/service', 'src/proxy', 'src/embedded', 'src/mail', 'src/wire'])
    // The bootstrap hands its own environment to the one program that it stands for.
    .filter(({ path }) => !isForTests(path) && path !== 'src/embedded/bootstrap.mjs')
    .filter(({ imports }) => imports.some(({ target }) => target === 'node:child_process'))
  expect(files.length).toBeGreaterThan(5)
  expect(files.flatMap(({ path }) => unnamed(parseFile(path)).map((call) => `${path}: ${call}`))).toEqual([])
})

test('the check reports a call without a named environment', () => {
  const found = (call: string) => unnamed(parseText('x.ts', call)).length
  expect(found(`spawn('ls', [], { cwd: '/' })`)).toBe(1)
  expect(found(`spawn('ls', [], { env: { ...process.env } })`)).toBe(1)
  expect(found(`spawn('ls', [], { env: {} })`)).toBe(1)
  expect(found(`spawn('ls', [], { env: childEnvironment({ PATH: '/bin' }) })`)).toBe(0)
})
