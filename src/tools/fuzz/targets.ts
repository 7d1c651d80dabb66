import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Target } from './target.ts'

const FOLDER = join(import.meta.dirname, 'targets')

export async function allTargets(): Promise<Target[]> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.ts')).toSorted()
  const modules = files.map(async (name) => (await import(join(FOLDER, name))) as { default: Target[] })
  return (await Promise.all(modules)).flatMap((module) => module.default)
}
