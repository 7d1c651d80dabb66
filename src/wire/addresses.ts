import { BlockList, isIP, isIPv6 } from 'node:net'

/** Parses a comma-separated list of addresses and networks: `10.0.0.0/8,127.0.0.1`; undefined for anything else. */
export function readAddresses(text: string): BlockList | undefined {
  const list = new BlockList()
  try {
    for (const entry of text.split(',').map((each) => each.trim())) {
      if (entry === '') continue
      const [address = '', prefix, ...rest] = entry.split('/')
      if (rest.length > 0 || !/^\d{1,3}$/.test(prefix ?? '0')) return undefined
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
      if (prefix === undefined) list.addAddress(address, family)
      else list.addSubnet(address, Number(prefix), family)
    }
    return list
  } catch {
    return undefined
  }
}

/**
 * The address of the client that sent a request: the peer's own, or, behind trusted proxies, the last one in
 * X-Forwarded-For that is not theirs. A hop that is not an address ends the search, because its writer cannot be
 * trusted.
 */
export function addressBehind(peer: string, forwarded: string | string[] | undefined, trusted: BlockList): string {
  let address = plainAddress(peer)
  if (typeof forwarded !== 'string') return address
  for (const hop of forwarded.split(',').toReversed()) {
    const before = plainAddress(hop.trim())
    if (!isIn(trusted, address) || isIP(before) === 0) break
    address = before
  }
  return address
}

/**
 * A dual-stack socket names an IPv4 peer `::ffff:10.0.0.1`, which becomes `10.0.0.1`. `fe80::1%eth0` becomes `fe80::1`:
 * the zone names an interface of the machine that wrote it.
 */
export function plainAddress(address: string): string {
  const bare = address.includes('%') && isIPv6(address) ? address.slice(0, address.indexOf('%')) : address
  return bare.toLowerCase().startsWith('::ffff:') && bare.includes('.') ? bare.slice(7) : bare
}

export function isIn(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
