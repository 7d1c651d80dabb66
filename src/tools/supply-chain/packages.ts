import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../sources.ts'

/** One entry of package-lock.json. */
export interface LockedPackage {
  name: string
  version: string
  /** Folder below the root: `node_modules/sharp`. */
  path: string
  integrity?: string
  resolved?: string
  link?: boolean
  /** Only development needs it. */
  dev?: boolean
  /** SPDX expression from the registry. */
  license?: string
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** The package's own package.json; old packages write `license` in other forms. */
interface Manifest {
  name?: string
  version?: string
  license?: string | { type?: string }
  licenses?: { type?: string }[]
  scripts?: Record<string, string>
}

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T

export const readPackageJson = () =>
  readJson<
    Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>> & {
      allowScripts: Record<string, boolean>
    }
  >(join(ROOT, 'package.json'))

/** Reads the packages of every platform, installed here or not. */
export function readLockfile(): LockedPackage[] {
  const { packages } = readJson<{ packages: Record<string, LockedPackage> }>(join(ROOT, 'package-lock.json'))
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, entry]) => ({ ...entry, path, name: entry.name ?? nameOf(path) }))
}

const nameOf = (path: string): string => path.split('node_modules/').at(-1) ?? path

/** @returns undefined for a package that is not installed, such as one of another platform */
export function readManifest({ path }: Pick<LockedPackage, 'path'>): Manifest | undefined {
  const file = join(ROOT, path, 'package.json')
  return existsSync(file) ? readJson<Manifest>(file) : undefined
}

/** Returns every licence expression in the manifest, whatever form it uses. */
export function statedLicences({ license, licenses }: Manifest): string[] {
  const types = [license, ...(Array.isArray(licenses) ? licenses : [])]
  return types.map((each) => (typeof each === 'string' ? each : each?.type)).filter((each) => each !== undefined)
}

export interface LicenceFile {
  file: string
  text: string
}

const LICENCE_FILE = /^(licen[cs]es?|copying|notice)([-._ ].*)?$/i
const CODE = /\.(c|m)?[jt]sx?$|\.map$/

export function readLicenceFiles({ path }: Pick<LockedPackage, 'path'>): LicenceFile[] {
  const folder = join(ROOT, path)
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name) && !CODE.test(entry.name))
    .map(({ name }) => ({ file: `${path}/${name}`, text: readFileSync(join(folder, name), 'utf8') }))
}
