import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** How far a node has followed one feed. */
export interface FeedAt {
  /** Rows changed up to here have been sent. */
  readonly seq: number
  /** Deletions up to here have been sent; behind `seq` while there are more changes to send. */
  readonly gone: number
  /** The last row that was reported while the node is given all rows of an event, or null once it has them. */
  readonly loading: RowKey | null
  /** Which questions were asked at the entrance when answers were chosen for a node that holds those only. */
  readonly asked: string
}

/** A row by its place in the order in which rows are reported. */
export interface RowKey {
  readonly resource: string
  readonly id: number
}

/** How far a node has followed everything that it may see. Opaque to the node itself. */
export interface Cursor {
  /** As what the node was looked at: what it was given is not what another view would have got. */
  readonly view: string
  /** During which start of the server it was given; missing where that says nothing about the disk. */
  readonly start?: string | undefined
  readonly organizer: FeedAt
  readonly events: ReadonlyMap<number, FeedAt>
}

const short = (value: number): string => value.toString(36)

function writeFeed({ seq, gone, loading, asked }: FeedAt): string {
  const held = gone === seq ? '' : `-${short(gone)}`
  const at = loading ? `@${loading.resource}.${short(loading.id)}` : ''
  return `${short(seq)}${held}${at}${asked === '' ? '' : `~${asked}`}`
}

/** A cursor as text, made of letters and punctuation that an address may hold as they are. */
export function writeCursor({ view, start, organizer, events }: Cursor): string {
  let before = 0
  const parts = [...events]
    .sort(([a], [b]) => a - b)
    .map(([id, at]) => {
      // Written is how much larger each id is than the one before.
      const part = `${short(id - before)}:${writeFeed(at)}`
      before = id
      return part
    })
  const began = start === undefined ? '' : `;${start}`
  const text = `${view};${writeFeed(organizer)};${parts.join(',')}${began}`
  return text.length <= longestPlain ? text : packed + deflateRawSync(text).toString('base64url')
}

/** Addresses may be sixteen kilobytes long: where there are many events, what is written of them is packed. */
const longestPlain = 2000
const packed = '!'

function unpack(text: string): string {
  if (!text.startsWith(packed)) return text
  try {
    return inflateRawSync(Buffer.from(text.slice(1), 'base64url'), { maxOutputLength: 1_000_000 }).toString()
  } catch {
    return ''
  }
}

const number = (text: string | undefined): number => Number.parseInt(text ?? '', 36)

const feedShape = /^([0-9a-z]{1,11})(?:-([0-9a-z]{1,11}))?(?:@([a-z_]+)\.([0-9a-z]{1,11}))?(?:~([0-9a-z]+))?$/

function readFeed(text: string | undefined): FeedAt | undefined {
  const match = feedShape.exec(text ?? '')
  if (!match) return undefined
  const [, seq, gone = seq, resource, id, asked = ''] = match
  const loading = resource === undefined ? null : { resource, id: number(id) }
  return { seq: number(seq), gone: number(gone), loading, asked }
}

const startShape = /^[\w-]{1,40}$/

/** The cursor that a text says, or undefined when it is none of ours. */
export function readCursor(text: string): Cursor | undefined {
  const [view, organizerText, eventsText, start, ...rest] = unpack(text).split(';')
  const organizer = readFeed(organizerText)
  if (view === undefined || eventsText === undefined || rest.length > 0 || !organizer) return undefined
  if (start !== undefined && !startShape.test(start)) return undefined
  const events = new Map<number, FeedAt>()
  let last = 0
  for (const part of eventsText === '' ? [] : eventsText.split(',')) {
    const [id = '', feed] = part.split(':')
    const at = readFeed(feed)
    if (!at || !/^[0-9a-z]{1,11}$/.test(id)) return undefined
    last += number(id)
    events.set(last, at)
  }
  return { view, ...(start === undefined ? {} : { start }), organizer, events }
}
