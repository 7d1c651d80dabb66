import parse from 'spdx-expression-parse'
import { type LicenceFile, type LockedPackage, readLicenceFiles, readManifest, statedLicences } from './packages.ts'
import { REVIEWED } from './reviewed-licences.ts'

/** Licences of packages that Strongroom, itself Apache-2.0, may be distributed with. */
const PERMITTED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
  'Zlib',
])

/** A licence title on its own line, or the sentence that puts a work under the licence. Other mentions are harmless. */
const REFUSED_TEXTS = [
  /^[\s#*=]*GNU (?:AFFERO |LESSER |LIBRARY )?GENERAL PUBLIC LICEN[CS]E[\s*=]*$/im,
  /^[\s#*=]*(?:Server Side Public|Business Source|Functional Source|Elastic|PolyForm [\w ]+|SSPL)[ ]Licen[cs]e\b/im,
  /\bunder the terms of (?:either )?the GNU (?:Affero |Lesser |Library )?General\s+Public\s+Licen[cs]e\b/i,
  /"Commons Clause" Licen[cs]e Condition/i,
]

export interface Finding {
  name: string
  version: string
  /** The problem, as a sentence. */
  problem: string
}

export type PackageToJudge = Pick<LockedPackage, 'name' | 'version'> & {
  /** Every expression in the lockfile and in the package's own manifest. */
  licences: string[]
  files: LicenceFile[]
}

export function packageToJudge(locked: LockedPackage): PackageToJudge {
  const manifest = readManifest(locked)
  const licences = [locked.license, ...(manifest ? statedLicences(manifest) : [])].filter((each) => each !== undefined)
  return {
    name: locked.name,
    version: locked.version,
    licences: [...new Set(licences)],
    files: readLicenceFiles(locked),
  }
}

/** Returns the problems of a package. A review permits only the licences that it names. */
export function judge({ name, version, licences, files }: PackageToJudge): Finding[] {
  const review = REVIEWED.find((each) => each.packages.test(name))
  const accepted = new Set(review?.licences)
  const finding = (problem: string) => ({ name, version, problem })
  const unknown = licences.length === 0 && !accepted.has('none stated') ? [finding('It states no licence.')] : []
  const refused = licences
    .filter((expression) => !accepted.has(expression) && !isPermitted(expression))
    .map((expression) => finding(`Its licence ${expression} is not permitted.`))
  const texts = files
    .filter(({ text }) => !review?.texts && REFUSED_TEXTS.some((pattern) => pattern.test(text)))
    .map(({ file }) => finding(`${file} holds a licence that is not permitted.`))
  return [...unknown, ...refused, ...texts]
}

/** One permitted alternative (OR) suffices; combined licences (AND) must all be permitted. Invalid text is refused. */
export function isPermitted(expression: string): boolean {
  try {
    return holds(parse(expression))
  } catch {
    return false
  }
}

function holds(node: parse.Info): boolean {
  if ('license' in node) return PERMITTED.has(node.license)
  const [left, right] = [holds(node.left), holds(node.right)]
  return node.conjunction === 'or' ? left || right : left && right
}

export const staleReviews = (packages: Pick<LockedPackage, 'name'>[]): string[] =>
  REVIEWED.filter((review) => !packages.some(({ name }) => review.packages.test(name))).map(({ packages: pattern }) =>
    String(pattern),
  )
