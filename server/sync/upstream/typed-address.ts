import ipaddr from 'ipaddr.js'

/** Kinds of addresses that are of a venue's own network, where hubs have no certificates. */
const ownRanges: ReadonlySet<string> = new Set(['private', 'loopback', 'linkLocal', 'uniqueLocal'])

/** How a server is usually reached whose address was typed without that: a port of one's own network by http. */
function usualProtocol(text: string): 'http:' | 'https:' {
  const [, literal, name] = /^(?:\[([\da-f:.]+)\]|([^/:\s]+)):\d+(?:\/|$)/i.exec(text) ?? []
  const host = literal ?? name
  if (host === undefined) return 'https:'
  if (ipaddr.isValid(host)) return ownRanges.has(ipaddr.process(host).range()) ? 'http:' : 'https:'
  return !host.includes('.') || /\.(local|lan|internal)$/i.test(host) ? 'http:' : 'https:'
}

/** The address of a server as it is used, without a slash at the end; null for what is none. */
export function typedAddress(text: string): string | null {
  const address = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `${usualProtocol(text)}//${text}`)
  if (!address || !/^https?:$/.test(address.protocol) || address.username !== '') return null
  return `${address.origin}${address.pathname}`.replace(/\/+$/, '')
}
