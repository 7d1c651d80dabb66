import { parseArgs } from 'node:util'
import { examineInstallation } from './examine-installation.ts'
import { hasErrors, printFindings } from './print-findings.ts'

// `npm run doctor [-- --json]` examines an installation with the settings of its environment, and says what to do
// about each finding. It changes nothing. Exits with 1 after an error, with 0 after warnings.

const { values } = parseArgs({ options: { json: { type: 'boolean' } } })
const findings = await examineInstallation()
if (values.json) console.log(JSON.stringify(findings, null, 2))
else printFindings(findings)
process.exit(hasErrors(findings) ? 1 : 0)
