import { describe, expect, it } from 'vitest'
import { HEADERS, sign, signatureOf, verify } from './signature.ts'

const credentials = {
  key: '0123456789abcdef0123456789abcdef01234567',
  token: 'fedcba9876543210fedcba9876543210fedcba98',
  secret: '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff',
}
const EXPIRES = '1700000000'

/** Each made by `printf '%s%s%s' KEY TOKEN EXPIRES | openssl dgst -sha256 -hmac SECRET`. */
const VECTOR = 'a951caa0d743a32523836ee252ad3be00d1c5ce02b8d7c0394fcab1be8371b5a'
const VECTOR_EMPTY_TOKEN = 'ad8d583e6c8bed5b649304ed7179f44a90d9e9796c209609ebdd2bd2e36e13af'
const VECTOR_UTF8_SECRET = 'e915c2d6fdbc663bb51957c00ff461785ce27dc728a7890a8ff40aa6b5212e8d'

const header = (hex: string) => `Method=HMAC-SHA256 Signature=${hex}`

describe('the signature', () => {
  it('is HMAC-SHA256 over key, token and expiry, with the secret used as text', () => {
    expect(signatureOf(credentials, EXPIRES)).toBe(VECTOR)
    expect(signatureOf({ ...credentials, token: '' }, '1')).toBe(VECTOR_EMPTY_TOKEN)
    expect(signatureOf({ ...credentials, secret: 'clé secrète' }, EXPIRES)).toBe(VECTOR_UTF8_SECRET)
  })

  it('is sent in four headers', () => {
    expect(sign(credentials, 1_700_000_000)).toEqual({
      'x-api-key': credentials.key,
      'x-api-user-token': credentials.token,
      'x-api-signature': `Method=HMAC-SHA256 Signature=${VECTOR}`,
      'x-api-exp-date': '1700000000',
    })
  })

  it('is verified when genuine', () => {
    const headers = sign(credentials, 1_700_000_000)
    expect(verify(credentials, headers[HEADERS.expires]!, headers[HEADERS.signature]!)).toBe(true)
  })
})

describe('a signature is refused', () => {
  it.each([
    ['of another key', { key: 'f'.repeat(40) }],
    ['of another user token', { token: '0'.repeat(40) }],
    ['of another secret', { secret: 'f'.repeat(64) }],
  ])('%s', (_, change) => {
    expect(verify({ ...credentials, ...change }, EXPIRES, header(VECTOR))).toBe(false)
  })

  it.each(['1700000001', '01700000000', '+1700000000', '1700000000.0', '1.7e9', ''])('for the expiry %j', (expires) => {
    expect(verify(credentials, expires, header(VECTOR))).toBe(false)
  })

  it.each([
    ['nothing at all', ''],
    ['the bare hex', VECTOR],
    ['no hex', header('')],
    ['upper-case hex', header(VECTOR.toUpperCase())],
    ['cut hex', header(VECTOR.slice(0, -1))],
    ['longer hex', header(`${VECTOR}0`)],
    ['full-width digits', header(VECTOR.replaceAll('9', '９'))],
    ['another method', `Method=HMAC-SHA1 Signature=${VECTOR}`],
    ['another case of the method', `method=hmac-sha256 signature=${VECTOR}`],
    ['a space before', ` ${header(VECTOR)}`],
    ['a line break after', `${header(VECTOR)}\n`],
    ['two signatures', `${header(VECTOR)}, ${header(VECTOR)}`],
  ])('written as %s', (_, text) => {
    expect(verify(credentials, EXPIRES, text)).toBe(false)
  })

  it('under an empty secret, although it could be computed', () => {
    const empty = { ...credentials, secret: '' }
    expect(verify(empty, EXPIRES, header(signatureOf(empty, EXPIRES)))).toBe(false)
  })
})

describe('a known limit of the published scheme', () => {
  it('the text has no separators, so lookups must check the lengths of key and token', () => {
    const shifted = { ...credentials, key: credentials.key + 'f', token: credentials.token.slice(1) }
    expect(signatureOf(shifted, EXPIRES)).toBe(VECTOR)
  })
})
