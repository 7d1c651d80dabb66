import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../sources.ts'
import { command } from './commands.ts'

const FOLDER = 'deploy/compose'

export async function checkCompose(folder: string): Promise<void> {
  const example = await readFile(join(ROOT, FOLDER, 'example.env'), 'utf8')
  const filled = join(folder, '.env')
  await writeFile(filled, example.replaceAll(/=$/gm, '=x'))
  await command(['docker-compose', '--env-file', filled, '-f', `${FOLDER}/compose.yaml`, 'config', '--quiet'])
}

export async function checkCaddyfile(): Promise<void> {
  const line = ['caddy', 'validate', '--adapter', 'caddyfile', '--config', `${FOLDER}/Caddyfile`]
  await command(line, { SITE: 'rooms.example.com', API_SITE: 'api.example.com' })
}
