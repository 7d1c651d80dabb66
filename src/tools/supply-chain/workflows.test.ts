import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../sources.ts'

const FOLDER = join(ROOT, '.github/workflows')
const workflows = readdirSync(FOLDER).map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }))

test.each(workflows)('$name pins third-party actions to a commit hash', ({ text }) => {
  const used = [...text.matchAll(/\buses:\s*(\S+)/g)].map(([, action = '']) => action)
  expect(used.length).toBeGreaterThan(0)
  expect(used.filter((action) => !/^[\w-]+\/[\w./-]+@[0-9a-f]{40}$/.test(action))).toEqual([])
})

test.each(workflows)('$name has read-only permissions and no access to secrets', ({ text }) => {
  expect(text).toMatch(/^permissions: \{\}$/m)
  expect(text).not.toMatch(/:\s*write\b|write-all|pull_request_target|workflow_run|secrets\.|self-hosted/)
})

test.each(workflows)('$name interpolates no expressions into shell commands', ({ text }) => {
  expect(text).not.toMatch(/run:[^\n]*\$\{\{/)
})
