import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { environment } from './testing/start-proxy.ts'

describe('the configuration', () => {
  it('requires only four secrets', () => {
    expect(readConfig(environment)).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      apiUrls: ['http://127.0.0.1:4000'],
      publicUrl: undefined,
      demoPeople: [],
      log: 'info',
    })
  })

  it.each(['API_KEY', 'API_SECRET', 'ADMIN_TOKEN', 'MASTER_KEY'])('rejects a missing, empty or all-zero %s', (name) => {
    const zeros = '0'.repeat(name === 'API_SECRET' || name === 'MASTER_KEY' ? 64 : 40)
    expect(() => readConfig({ ...environment, [name]: undefined })).toThrow(`${name} is required`)
    expect(() => readConfig({ ...environment, [name]: '' })).toThrow(`${name} is required`)
    expect(() => readConfig({ ...environment, [name]: zeros })).toThrow(`${name} must not be all zeros`)
  })

  it.each([
    ['MASTER_KEY', 'secret-but-not-hex', 'MASTER_KEY must be 64 hex characters'],
    ['API_SECRET', 'short', 'API_SECRET must be 8 to 200 printable characters'],
    ['API_KEY', 'with a space in it', 'API_KEY must be 8 to 200 printable characters'],
    ['PORT', 'http', 'PORT must be a port number'],
    ['PORT', '70000', 'PORT '],
    ['PUBLIC_URL', 'rooms.test', 'PUBLIC_URL must be an http or https URL'],
    ['PUBLIC_URL', 'ftp://rooms.test', 'PUBLIC_URL must be an http or https URL'],
    ['PUBLIC_URL', 'https://rooms.test/below', 'PUBLIC_URL must be no more than an origin'],
    ['API_URL', 'http://user:pass@127.0.0.1:4000', 'API_URL must be no more than an origin'],
    ['API_URL', 'http://node-1:4000,node-2', 'API_URL must be an http or https URL'],
    ['API_URL', ' , ', 'API_URL must name the service'],
    ['STOP_GRACE', '25', 'STOP_WITHIN must be longer than STOP_GRACE'],
    ['DEMO_PEOPLE', 'alice', 'DEMO_PEOPLE must be e-mail addresses'],
    ['SMTP_URL', 'https://mail.test', 'SMTP_URL must be an smtp or smtps URL'],
    ['TRUSTED_PROXIES', 'everybody', 'TRUSTED_PROXIES must be addresses or networks'],
    ['TRUSTED_PROXIES', '10.0.0.0/99', 'TRUSTED_PROXIES must be addresses or networks'],
    ['OIDC_ISSUER', 'id.example.com', 'OIDC_ISSUER must be an https URL'],
    ['OIDC_ISSUER', 'http://id.example.com', 'OIDC_ISSUER must be an https URL'],
    ['OIDC_ISSUER', 'https://user:pass@id.example.com', 'OIDC_ISSUER must be an https URL'],
    ['OIDC_CLIENT_ID', 'strongroom', 'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET come together.'],
    ['LOG', 'loud', 'LOG '],
  ])('explains what is wrong with %s=%s, without repeating a value', (name, value, sentence) => {
    const read = () => readConfig({ ...environment, [name]: value })
    expect(read).toThrow(sentence)
    expect(read).toThrow(
      expect.not.objectContaining({ message: expect.stringMatching(/secret-but-not-hex|user:pass/) }),
    )
  })

  it('accepts a complete identity provider, on this machine even without TLS', () => {
    const given = { OIDC_CLIENT_ID: 'strongroom', OIDC_CLIENT_SECRET: 'secret' }
    const read = (OIDC_ISSUER: string) => readConfig({ ...environment, ...given, OIDC_ISSUER }).oidc
    const rest = { clientId: 'strongroom', clientSecret: 'secret', name: 'your company account' }
    const tenant = 'https://id.example.com/realms/one'
    expect(read(tenant)).toEqual({ issuer: tenant, ...rest })
    expect(read('http://127.0.0.1:9000')).toMatchObject({ issuer: 'http://127.0.0.1:9000' })
    expect(readConfig(environment).oidc).toBeUndefined()
  })

  it('names every wrong variable at once', () => {
    expect(() => readConfig({})).toThrow(
      'API_KEY is required.\nAPI_SECRET is required.\nADMIN_TOKEN is required.\nMASTER_KEY is required',
    )
  })
})
