import { npm } from './npm.ts'
import { readLockfile, readManifest, statedLicences } from './packages.ts'
import { REVIEWED } from './reviewed-licences.ts'

// `npm run -s sbom > sbom.cdx.json` writes the software bill of materials of every platform, in CycloneDX.

interface Component {
  name: string
  version: string
  licenses?: unknown[]
}

interface Bom {
  metadata: { component: Component }
  components: Component[]
}

const { code, output } = await npm('sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only')
if (code !== 0) throw new Error(`npm sbom failed: ${output}`)
const bom = JSON.parse(output) as Bom
// npm uses the name of the folder instead.
bom.metadata.component.name = 'strongroom'
for (const component of bom.components) component.licenses ??= licencesOf(component)
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`)

/** Finds licences that the lockfile lacks in the manifest or the review. @throws Error for an unknown licence */
function licencesOf({ name, version }: Component) {
  const locked = readLockfile().find((each) => each.name === name && each.version === version)
  const manifest = locked && readManifest(locked)
  const [stated] = manifest ? statedLicences(manifest) : []
  const expression = stated ?? REVIEWED.find(({ packages }) => packages.test(name))?.found
  if (!expression) throw new Error(`The licence of ${name} is unknown: npm run licences`)
  return [{ expression }]
}
