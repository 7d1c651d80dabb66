import { expect, it } from 'vitest'
import { createReplyMemory, keyOf } from './reply-memory.ts'

const MIB = 1024 * 1024

it('K33: the memory of replies keeps the latest 32 MiB of bodies, and the ETags of more', () => {
  const memory = createReplyMemory(() => 1)
  for (let n = 0; n < 100; n++) memory.keep(keyOf(`${n}`), { bytes: Buffer.alloc(MIB, n), sha1: `sha1 ${n}` })
  const found = Array.from({ length: 100 }, (_, n) => memory.find(keyOf(`${n}`)))
  expect(found.filter((each) => each?.bytes).length).toBeLessThanOrEqual(32)
  expect(found.map((each) => each?.sha1)).toEqual(found.map((_, n) => `sha1 ${n}`))
  expect(found[99]?.bytes?.[0]).toBe(99)
})

it('K33: a small body does not keep the larger buffer that it was cut from', () => {
  const memory = createReplyMemory(() => 1)
  memory.keep('small', { bytes: Buffer.from('{}'), sha1: '' })
  expect(memory.find('small')?.bytes?.buffer.byteLength).toBe(2)
})

it('a body that is larger than the memory is not kept', () => {
  const memory = createReplyMemory(() => 1)
  memory.keep('large', { bytes: Buffer.alloc(33 * MIB), sha1: 'sha1' })
  expect(memory.find('large')).toEqual({ sha1: 'sha1', bytes: undefined })
})

it('the processes of a service share the memory', () => {
  let processes = 1
  const memory = createReplyMemory(() => processes)
  for (let n = 0; n < 20; n++) memory.keep(`${n}`, { bytes: Buffer.alloc(MIB), sha1: '' })
  processes = 4
  memory.keep('last', { bytes: Buffer.alloc(MIB), sha1: '' })
  const kept = Array.from({ length: 20 }, (_, n) => memory.find(`${n}`)?.bytes).filter(Boolean)
  expect(kept.length).toBeLessThan(8)
  expect(memory.find('last')?.bytes).toBeDefined()
})
