import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ROOT } from '../sources.ts'

/** `K1: …`, `A2, A3: …`: the ids before the first colon. */
const IDS = /^([A-K]\d{1,3}(?:, ?[A-K]\d{1,3})*): /
/** Matches the title of a test or `describe`, including one that follows the table of an `each`. */
const TITLE =
  /(?:\b(?:it|test|describe)(?:\.\w+)*\(|\]\)\(|\)\)\(|\w\)\()\s*(['"`])([A-K]\d{1,3}(?:, ?[A-K]\d{1,3})*: )/g

export function idsOf(title: string): string[] {
  return IDS.exec(title)?.[1]?.split(/, ?/) ?? []
}

/** Maps each id to the test files that have a title beginning with it. */
export function collect(): Map<string, Set<string>> {
  const files = new Map<string, Set<string>>()
  for (const path of testFiles()) {
    for (const [, , ids = ''] of readFileSync(join(ROOT, path), 'utf8').matchAll(TITLE)) {
      for (const id of idsOf(ids)) files.set(id, (files.get(id) ?? new Set()).add(path))
    }
  }
  return files
}

function testFiles(): string[] {
  return ['src', 'e2e'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(test\.tsx?|e2e\.ts)$/.test(entry.name))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name))),
  )
}
