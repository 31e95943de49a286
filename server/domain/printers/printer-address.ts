import type { PrinterWay } from '../../../schema/bodies/printer-profiles.ts'

/** A machine in the network. */
export interface MachineAddress {
  readonly host: string
  readonly port: number
}

const rawPort = 9100

/** The machine that an address such as `192.168.1.60`, `printer.local:9101` or `[fe80::1]:9100` means; null for none. */
export function machineAt(address: string): MachineAddress | null {
  const [, bracketed, named, port] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9][A-Za-z0-9.-]{0,252}))(?::(\d{1,5}))?$/.exec(address) ?? []
  const host = bracketed ?? named
  const number = port === undefined ? rawPort : Number(port)
  return host === undefined || number < 1 || number > 65_535 ? null : { host, port: number }
}

/** The address of a machine by its host, which may be an IPv6 address without brackets, and its port. */
export const addressOfMachine = (host: string, port: number = rawPort): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

/** Where an IPP printer answers over HTTP; null for what is no address of one. */
export function ippUrl(address: string): URL | null {
  const [, scheme, rest] = /^(ipps?):\/\/(.+)$/i.exec(address) ?? []
  if (scheme === undefined) return null
  const isSecure = scheme.toLowerCase() === 'ipps'
  const url = URL.parse(`${isSecure ? 'https' : 'http'}://${rest}`)
  if (url?.username !== '' || url.password !== '' || url.hash !== '') return null
  // Unlike HTTP, it is at one port with and without encryption (RFC 8011 and 7472).
  if (!/:\d+$/.test((rest ?? '').split(/[/?]/)[0] ?? '')) url.port = '631'
  return url
}

const isName = (text: string): boolean => /^[^\p{Cc}]{1,200}$/u.test(text)
const isPath = (text: string): boolean => isName(text) && !text.split(/[\\/]/).includes('..')

/** Whether an address can be one of a printer that is reached in a way. */
export const isPrinterAddress: Readonly<Record<PrinterWay, (address: string) => boolean>> = {
  tcp: (address) => machineAt(address) !== null,
  ipp: (address) => ippUrl(address) !== null,
  device: (address) => /^\/dev\/[\w./-]+$/.test(address) && isPath(address),
  windows: isName,
  window: isName,
  folder: (address) => /^(?:\/|[A-Za-z]:[\\/])/.test(address) && isPath(address),
}
