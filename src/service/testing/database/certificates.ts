import { execFile } from 'node:child_process'
import { chown } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { account } from './debian-postgres.ts'

const run = promisify(execFile)

/** Makes a certificate authority `NAME-ca.crt` and, signed by it, `NAME.crt` with `NAME.key` for a host. */
export async function makeCertificate(folder: string, name: string, host: string): Promise<void> {
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  await openssl(
    'req',
    '-x509',
    ...key,
    '-subj',
    `/CN=${name} authority`,
    '-keyout',
    `${name}-ca.key`,
    '-out',
    `${name}-ca.crt`,
  )
  const signed = ['-CA', `${name}-ca.crt`, '-CAkey', `${name}-ca.key`, '-addext', `subjectAltName=DNS:${host}`]
  await openssl(
    'req',
    '-x509',
    ...key,
    '-subj',
    `/CN=${host}`,
    ...signed,
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.crt`,
  )
  const { uid, gid } = account()
  await chown(join(folder, `${name}.key`), uid, gid)
}
