import { isIPv6 } from 'node:net'

/** How a dual-stack socket names an IPv4 peer. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * The key under which an address is rate-limited: the holder of one IPv6 address has a network of them, 64 bits wide,
 * which counts as one place.
 */
export function placeOf(ip: string): string {
  if (!ip.includes(':')) return ip
  const mapped = MAPPED.exec(ip)?.[1]
  if (mapped) return mapped
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = ip.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array.from({ length: Math.max(0, gap) }, () => '0'), ...after].slice(0, 4).join(':')
}
