import { migrate } from '../../service/db/migrate.ts'
import { readConfig } from '../config.ts'
import { reachDatabase } from '../reach-database.ts'

// `npm run migrate` migrates the database of the environment to this release, while nodes of the previous one go on.

try {
  const config = readConfig()
  await using database = await reachDatabase(config)
  const url = config.inherited['DATABASE_DIRECT_URL'] ?? database.url
  const applied = await migrate(url, { log: console.log })
  console.log(applied.length === 0 ? 'The schema is the one of this release.' : 'The database is migrated.')
} catch (error) {
  console.error(`migrate: ${(error as Error).message}`)
  process.exitCode = 1
}
