import { tmpdir } from 'node:os'
import { ensureDashboard } from '../../embedded/dashboard.ts'
import { accountFor } from '../../embedded/postgres/account.ts'
import { binariesFor } from '../../embedded/postgres/binaries.ts'

// Does before a container image is closed what the first start would do in the folder of the program.

await ensureDashboard(console.log)
await binariesFor(await accountFor(tmpdir()), tmpdir())
