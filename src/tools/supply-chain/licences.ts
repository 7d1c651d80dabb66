import { judge, packageToJudge, staleReviews } from './licence-policy.ts'
import { readLockfile } from './packages.ts'
import { REVIEWED } from './reviewed-licences.ts'

// `npm run licences` fails on a package whose licence is unknown or not permitted.

const packages = readLockfile().map(packageToJudge)
const findings = packages.flatMap(judge)
const counts = Map.groupBy(packages, ({ licences }) => licences.join(' / ') || 'none stated')
for (const [licence, group] of [...counts].sort(([, one], [, other]) => other.length - one.length))
  console.log(`${String(group.length).padStart(5)}  ${licence}`)
console.log('\nReviewed:')
for (const { packages: pattern, reason } of REVIEWED) console.log(`- ${pattern}: ${reason}`)
for (const { name, version, problem } of findings) console.log(`\nREFUSED ${name}@${version}: ${problem}`)
for (const pattern of staleReviews(packages)) console.log(`\nSTALE the review of ${pattern} matches no package.`)
const failed = findings.length > 0 || staleReviews(packages).length > 0
console.log(`\n${packages.length} packages, ${findings.length} refused`)
process.exitCode = failed ? 1 : 0
