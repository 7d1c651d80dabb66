import { expect, test } from 'vitest'
import { createSealer } from './sealer.ts'

const KEY = Buffer.alloc(32, 7)
const REFUSED = /^(Invalid (initialization vector|authentication tag)|Unsupported state)/
const TEXT = 'Zoë’s secret'
const SEALED = Buffer.from(
  'b8853058a050cd44e142ac47272030d8049919b335cd5e91e5d6ce90b77826a7f95434475c9a349df83a40',
  'hex',
)

test('data that an earlier version sealed can be opened', () => {
  expect(createSealer(KEY).open(SEALED)).toBe(TEXT)
})

test('the same text is sealed differently each time, and opened again', () => {
  const { seal, open } = createSealer(KEY)
  const sealed = [seal(TEXT), seal(TEXT)] as const
  expect(sealed[0].equals(sealed[1])).toBe(false)
  expect(sealed.map(open)).toEqual([TEXT, TEXT])
})

test('changed, truncated and foreign data is refused', () => {
  const { open } = createSealer(KEY)
  for (let at = 0; at < SEALED.length; at++) {
    const changed = Buffer.from(SEALED)
    changed[at]! ^= 1
    expect(() => open(changed), `byte ${at}`).toThrow(REFUSED)
    expect(() => open(SEALED.subarray(0, at))).toThrow(REFUSED)
  }
  expect(() => createSealer(Buffer.alloc(32, 8)).open(SEALED)).toThrow(REFUSED)
})
