import { startPostgres } from '../postgres.ts'

// Starts PostgreSQL on the given folder, prints its URL, and waits to be killed.
const [dataDir = ''] = process.argv.slice(2)
const { databaseUrl } = await startPostgres({ dataDir })
console.log(databaseUrl)
setInterval(() => {}, 1000)
