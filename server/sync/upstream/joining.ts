import { arch, hostname, platform, release } from 'node:os'
import sql from 'sql-template-tag'
import { type Join, type Joined, protocol, type Role } from '../../../schema/sync.ts'
import type { Env } from '../../env.ts'
import { Refusal } from '../../errors.ts'
import type { Queryable } from '../../storage/database.ts'
import { typedAddress } from './typed-address.ts'
import { type Upstream, upstreamDefaults } from './upstream.ts'
import {
  type Answered,
  createUpstreamClient,
  reasonOf,
  timeLimit,
  type UpstreamClient,
} from './upstream-client.ts'

/** What a node needs to be admitted. */
export interface UpstreamPairing {
  readonly url: string
  readonly token: string
  readonly role: Role
}

/** Why a pairing did not work, as a word; the sentence beside it says what to do. */
type Obstacle =
  | 'no_address'
  | 'no_code'
  | 'incomplete'
  | 'newer'
  | 'unknown'
  | 'used'
  | 'revoked'
  | 'refused'
  | 'stranger'
  | 'unreachable'
  | 'timeout'

const wrong = (field: 'code' | 'url', reason: Obstacle, message: string): Refusal =>
  new Refusal(400, { [field]: [message], reason })

/** Of a token that was not accepted, why. */
const refusedAs = (message: string): Obstacle =>
  /unknown/i.test(message)
    ? 'unknown'
    : /already been used/i.test(message)
      ? 'used'
      : /revoked/i.test(message)
        ? 'revoked'
        : 'refused'

/** An address as it is used; throws 400 where it is none. */
function addressIn(text: string): string {
  const address = typedAddress(text)
  if (address === null)
    throw wrong(
      'url',
      'no_address',
      'This is not the address of a server. It begins with https:// or http://.',
    )
  return address
}

/** The address and the token in a line like the one that is printed beside the picture; null when one is missing. */
function readLine(text: string): { readonly url: string; readonly token: string } | null {
  const url = /\bhttps?:\/\/[^\s"'<>]*[^\s"'<>.,;]/i.exec(text)?.[0]
  const token = /(?:^|[\s,;])token:?\s+([\w-]{4,190})(?![\w-])/i.exec(text)?.[1]
  return url && token ? { url, token } : null
}

/**
 * Reads what somebody scanned, pasted or typed to pair this machine: the content of the pairing code, the line that is
 * printed beside it, or the token beside the address. Throws 400 with what to do.
 */
export function readPairing(code: string, url: string | undefined, role: Role): UpstreamPairing {
  const text = code.trim()
  if (!text.startsWith('{')) {
    const line = readLine(text)
    if (line) return { url: addressIn(url?.trim() || line.url), token: line.token, role }
    if (!/^[\w-]{4,190}$/.test(text))
      throw wrong(
        'code',
        'no_code',
        'This is not a pairing code. Scan the one shown where the device was made, or type its token.',
      )
    if (!url?.trim())
      throw wrong(
        'url',
        'no_address',
        'Type the address of the server as well: the token alone does not say where it is.',
      )
    return { url: addressIn(url.trim()), token: text, role }
  }
  let content: { url?: unknown; token?: unknown; handshake_version?: unknown }
  try {
    content = JSON.parse(text)
  } catch {
    throw wrong('code', 'incomplete', 'The pairing code was not read completely. Scan it again.')
  }
  if (typeof content.handshake_version === 'number' && content.handshake_version > 1)
    throw wrong(
      'code',
      'newer',
      'This pairing code is of a newer kind. Update this program, then scan it again.',
    )
  if (typeof content.url !== 'string' || typeof content.token !== 'string')
    throw wrong(
      'code',
      'no_code',
      'This code is not one for pairing. Scan the one shown where the device was made.',
    )
  return { url: addressIn(url?.trim() || content.url), token: content.token, role }
}

/** Who a node is at the server that has let it in. */
export interface Initialized {
  readonly organizer: string
  readonly api_token: string
  readonly name: string
  readonly security_profile: string
}

const within = 15_000

/** Uses up the one-time token of a pairing: who this node is there. Throws a Refusal that says what to do. */
export async function initialize(
  env: Env,
  pairing: UpstreamPairing,
  softwareVersion: string,
): Promise<Initialized> {
  const limit = timeLimit(env, { within })
  let status: number
  let body: unknown
  try {
    const answer = await env.fetch(`${pairing.url}/api/v1/device/initialize`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({
        token: pairing.token,
        hardware_brand: arch(),
        hardware_model: hostname().slice(0, 190) || 'unknown',
        os_name: platform(),
        os_version: release(),
        software_brand: 'Gatehouse',
        software_version: softwareVersion,
      }),
      redirect: 'manual',
      signal: limit.signal,
    })
    status = answer.status
    body = await answer.json().catch(() => null)
  } catch (cause) {
    const failure = limit.failure(cause)
    throw new Refusal(503, {
      reason: failure.kind === 'timeout' ? 'timeout' : 'unreachable',
      detail:
        failure.kind === 'timeout'
          ? `${pairing.url} does not answer. Check the network, then try again.`
          : `${pairing.url} cannot be reached (${reasonOf(cause)}). Check the address and the network, then try again.`,
    })
  } finally {
    limit.end()
  }
  if (isInitialized(body)) return body
  const reasons = (body as { token?: unknown } | null)?.token
  if (status === 400 && Array.isArray(reasons))
    throw wrong('code', refusedAs(String(reasons[0])), String(reasons[0]))
  throw wrong(
    'url',
    'stranger',
    `At ${pairing.url} no server of the right kind answered (status ${status}). Check the address.`,
  )
}

const isInitialized = (body: unknown): body is Initialized =>
  typeof body === 'object' &&
  body !== null &&
  'api_token' in body &&
  typeof body.api_token === 'string' &&
  'organizer' in body &&
  typeof body.organizer === 'string'

/** The row of an upstream server that has admitted this node, and of which it holds nothing yet. */
export const joiningRow = (pairing: UpstreamPairing, device: Initialized): Upstream => ({
  url: pairing.url,
  organizer: 0,
  slug: device.organizer,
  device: 0,
  deviceName: device.name ?? '',
  profile: device.security_profile ?? 'full',
  token: device.api_token,
  role: pairing.role,
  site: 0,
  siteEnd: 0,
  state: 'joining',
  epoch: null,
  cursor: null,
  settings: upstreamDefaults,
  clockOffset: null,
  clockUncertainty: null,
  lastContact: null,
  lastData: null,
})

/** The newest place in the order of the facts made under a site number. */
export async function lastSiteSeq(db: Queryable, site: number): Promise<number> {
  const row = await db.get<{ last: number | null }>(
    sql`SELECT max(site_seq) AS last FROM outbox WHERE site = ${site}`,
  )
  return row?.last ?? 0
}

/**
 * Whether the upstream server has said that somebody else makes facts under the number of this node, too. Asked of what
 * was answered, since a program may end before it has seen to it.
 */
export async function needsOtherSite(db: Queryable, { site, settings }: Upstream): Promise<boolean> {
  const fact = await db.get(
    sql`SELECT seq FROM outbox
        WHERE site = ${site} AND seq > ${settings.told_before} AND result LIKE '%"rejoin":true%' LIMIT 1`,
  )
  return fact !== undefined
}

/** Tells the upstream server which site this node had, and learns which it has from now on. */
export function askToJoin(
  client: UpstreamClient,
  { role, site }: Upstream,
  siteSeq: number,
  signal: AbortSignal,
): Promise<Answered<Joined>> {
  const body: Join = { protocols: [protocol], role, site: site > 0 ? site : null, site_seq: siteSeq }
  return client.post<Joined>('sync/join/', body, { within, signal })
}

/** The row after an upstream server has admitted this node, with what it says. */
export const joinedRow = (up: Upstream, joined: Joined): Upstream => ({
  ...up,
  organizer: joined.organizer.id,
  slug: joined.organizer.slug,
  device: joined.device.id,
  deviceName: joined.device.name,
  profile: joined.security_profile,
  site: joined.site,
  siteEnd: joined.site_end,
})

/** A client for the upstream server. */
export const clientOf = (env: Env, up: Upstream): UpstreamClient =>
  createUpstreamClient(env, { url: up.url, slug: up.slug, token: up.token })
