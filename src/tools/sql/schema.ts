import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrate } from '../../service/db/migrate.ts'
import { startServer } from '../../service/testing/global-setup.ts'
import { databaseNamed, runAsAdmin } from '../../service/testing/database/postgres.ts'
import { printSchema } from './schema-print.ts'
import { ROOT } from '../sources.ts'

const DATABASE = 'strongroom_schema'

// `npm run schema` migrates an empty database and prints its types to src/service/db/schema.ts.

const server = await startServer()
try {
  await runAsAdmin(server.databaseUrl, `drop database if exists ${DATABASE}`)
  await runAsAdmin(server.databaseUrl, `create database ${DATABASE}`)
  const databaseUrl = databaseNamed(server.databaseUrl, DATABASE)
  await migrate(databaseUrl)
  await writeFile(join(ROOT, 'src/service/db/schema.ts'), await printSchema(databaseUrl))
  await runAsAdmin(server.databaseUrl, `drop database ${DATABASE}`)
} finally {
  await server.stop()
}
