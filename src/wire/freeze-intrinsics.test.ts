import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/**
 * Runs the script in a separate process, because the test runner needs its own intrinsics. @returns what the script
 * prints
 */
function run(script: string): unknown {
  const module = new URL('freeze-intrinsics.ts', import.meta.url)
  const program = `import { freezeIntrinsics } from ${JSON.stringify(module.href)}
    freezeIntrinsics()
    const refused = (act) => { try { act(); return false } catch { return true } }
    console.log(JSON.stringify((() => { ${script} })()))`
  const flags = ['--disable-proto=delete', '--input-type=module', '-e', program]
  return JSON.parse(execFileSync(process.execPath, flags, { encoding: 'utf8' }))
}

test('K1: shared prototypes cannot be extended or changed', () => {
  const shared = '[Object, Array, Function, String, Promise, Map, Error, TypeError, Uint8Array, URL, Buffer]'
  expect(run(`return ${shared}.map((each) => refused(() => { each.prototype.polluted = 1 }))`)).toEqual(
    Array.from({ length: 10 }, () => true).concat(false),
  )
  expect(run(`return refused(() => { Object.prototype.toString = 1 })`)).toBe(true)
  expect(run(`return refused(() => { ({}).constructor.prototype.valueOf = 1 })`)).toBe(true)
  expect(run(`return refused(() => { JSON.parse = 1 })`)).toBe(true)
  expect(
    run(
      `const a = {}; a['__proto__'] = { polluted: 1 }; return [a.polluted === undefined, ({}).polluted === undefined]`,
    ),
  ).toEqual([true, true])
})

test('objects may still have such names as own properties', () => {
  expect(
    run(`const a = {}; a.toString = () => 'own'; a.constructor = 1; return [String(a), a.constructor, Object.keys(a)]`),
  ).toEqual(['own', 1, ['toString', 'constructor']])
  expect(run(`const e = new TypeError('x'); e.name = 'Own'; e.message = 'y'; return String(e)`)).toBe('Own: y')
  expect(run(`const f = () => 1; f.toString = () => 'own'; return String(f)`)).toBe('own')
  expect(
    run(`class A { toString() { return 'a' } } return [String(new A()), String({}), new A().constructor.name]`),
  ).toEqual(['a', '[object Object]', 'A'])
})
