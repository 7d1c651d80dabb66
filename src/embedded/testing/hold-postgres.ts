import { startPostgres } from '../postgres.ts'

// Starts PostgreSQL on the folder given, says so, and waits to be killed.
const [dataDir = ''] = process.argv.slice(2)
const { databaseUrl } = await startPostgres({ dataDir })
console.log(databaseUrl)
setInterval(() => {}, 1000)
