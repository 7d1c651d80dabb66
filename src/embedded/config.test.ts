import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

describe('the settings of an embedded start', () => {
  test('have defaults for everything', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      apiPort: 4000,
      host: '127.0.0.1',
      demo: true,
      databaseUrl: undefined,
      publicUrl: 'http://localhost:3000',
      given: {},
    })
  })

  test.each([
    [{ PORT: 'http' }, 'PORT must be a port number.'],
    [{ API_PORT: '70000' }, 'API_PORT must be 1 to 65535.'],
    [{ PORT: '4000' }, 'PORT and API_PORT must differ.'],
    [{ DEMO: 'yes' }, 'DEMO must be on or off.'],
    [{ MASTER_KEY: 'short' }, 'MASTER_KEY must be 64 lower-case hex characters.'],
    [{ MASTER_KEY: '0'.repeat(64) }, 'MASTER_KEY must not be all zeros.'],
    [{ BOOTSTRAP_API_SECRET: 'A'.repeat(64) }, 'BOOTSTRAP_API_SECRET must be 64 lower-case hex characters.'],
    [{ BOOTSTRAP_ADMIN_EMAIL: 'ines' }, 'BOOTSTRAP_ADMIN_EMAIL must be an e-mail address.'],
    [{ DATABASE_URL: 'mysql://db' }, 'DATABASE_URL must have the form postgresql://user:password@host:5432/database.'],
    [{ PUBLIC_URL: 'rooms.example.com' }, 'PUBLIC_URL must be an http or https URL.'],
  ])('refuse %o in one sentence', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(sentence)
  })

  test('never repeat a refused value', () => {
    expect(() => readConfig({ BOOTSTRAP_API_SECRET: 'hush-hush' })).toThrow(/^(?!.*hush)/)
  })

  test('treat an empty variable as absent', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: undefined })
  })

  test.each([{ HOST: '0.0.0.0' }, { PUBLIC_URL: 'https://rooms.example.com' }])(
    'do not enable the demo by default where others can reach it: %o',
    (env) => {
      expect(readConfig(env).demo).toBe(false)
      expect(readConfig({ ...env, DEMO: 'on' }).demo).toBe(true)
    },
  )

  test('pass on the variables of the children, and none of their own', () => {
    const { inherited, identityProvider } = readConfig({
      PATH: '/bin',
      LOG: 'debug',
      MASTER_KEY: 'a'.repeat(64),
      DATABASE_URL: 'postgresql://db',
      OIDC_CLIENT_SECRET: 'secret',
    })
    expect(inherited).toEqual({ PATH: '/bin', LOG: 'debug' })
    expect(identityProvider).toEqual({ OIDC_CLIENT_SECRET: 'secret' })
  })
})
