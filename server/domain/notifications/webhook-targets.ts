import ipaddr from 'ipaddr.js'

/** Addresses that begin with the same bits. */
export type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Reads a network such as `10.0.0.0/8` or `fd00::/8`, or a single address; undefined for what is none. */
export function readNetwork(text: string): Network | undefined {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text)
    const address = ipaddr.parse(text)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  } catch {
    return undefined
  }
}

/** The networks among some texts. */
export const readNetworks = (texts: readonly string[]): Network[] =>
  texts.map(readNetwork).filter((network) => network !== undefined)

/** The only part of the address space that is given out to the internet. */
const globalUnicast: Network = [ipaddr.IPv6.parse('2000::'), 3]

/** Kept for protocols, such as those that carry IPv4 addresses inside. */
const protocolAssignments: Network = [ipaddr.IPv6.parse('2001::'), 23]

/** The address as it is, also where it is written as one of the other family. */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  // A zone names an interface of this machine.
  if (address.includes('%')) return undefined
  return ipaddr.isValid(address) ? ipaddr.process(address) : undefined
}

const isIn = (address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Network): boolean =>
  address.kind() === network.kind() && address.match(network, bits)

/**
 * Whether an address is one of the public internet. Those that carry an IPv4 address inside (mapped, NAT64, 6to4,
 * Teredo) are none, for they can lead anywhere.
 */
export function isPublic(address: string): boolean {
  const known = ipaddr.isValid(address) && !address.includes('%') ? ipaddr.parse(address) : undefined
  if (known?.range() !== 'unicast') return false
  return known.kind() === 'ipv4' || (isIn(known, globalUnicast) && !isIn(known, protocolAssignments))
}

/** Whether an address is in one of some networks. */
function isInside(address: string, networks: readonly Network[]): boolean {
  const known = parse(address)
  return known !== undefined && networks.some((network) => isIn(known, network))
}

/** Ports on which public receivers listen; elsewhere are mail servers and the like. */
const ports = new Set([80, 443, 8080, 8443])

/** Names that mean something in one network only. */
const local = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa|localdomain|onion)$/

/** The port of an address on the web. */
export const portOf = (url: URL): number =>
  url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)

/** The host of an address on the web as it is asked for: no brackets, no dot at the end. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

/** Whether a host is an address and no name. */
export const isAddress = (host: string): boolean => ipaddr.isValid(host)

/** Why a message may not be sent to one of the addresses of a host and to a port; null where it may. */
export function addressProblem(address: string, port: number, networks: readonly Network[]): string | null {
  if (isInside(address, networks)) return null
  if (!isPublic(address)) return 'This leads into a network that is not public.'
  return ports.has(port) ? null : `Only the ports ${[...ports].join(', ')} can be used.`
}

/**
 * Why something cannot be the target of a webhook, as far as can be told without asking for its name; null where it
 * may be. Other spellings of an address, such as octal or in letters of another script, are understood as it would be.
 */
export function targetProblem(text: string, networks: readonly Network[]): string | null {
  const url = URL.parse(text)
  // Parsing leaves out line breaks and the like, which whoever is shown the address would see.
  if (!url || !/^https?:$/.test(url.protocol) || /[\s\p{Cc}\p{Cf}]/u.test(text))
    return 'Enter a valid URL that begins with https:// or http://.'
  const host = hostOf(url)
  if (isAddress(host)) return addressProblem(host, portOf(url), networks)
  if (networks.length > 0) return host === '' ? 'Enter a valid URL.' : null
  if (local.test(host) || !host.includes('.')) return 'This leads into a network that is not public.'
  return ports.has(portOf(url)) ? null : `Only the ports ${[...ports].join(', ')} can be used.`
}
