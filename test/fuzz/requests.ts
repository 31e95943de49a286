import { type Described, description } from '../support/servers/described.ts'
import { type Draw, hostile, invent, type Known, pick, spoil } from './invent.ts'

/** A request as it is sent. */
export interface Request {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

/** An operation of the description. */
interface Target {
  readonly method: string
  readonly path: string
  readonly operation: Described
}

/** Streams that do not end by themselves, and what would take the access from who asks here. */
const leftOut = new Set(['sync_live', 'own_device_revoke', 'own_device_roll', 'event_delete'])

/** Every operation that can be asked for again and again. */
export const targets: readonly Target[] = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method]) => method !== 'parameters')
    .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation: operation as Described }))
    .filter(({ operation }) => !leftOut.has(operation.operationId)),
)

/** What happens at a till and at a door comes more often than the rest. */
export const busy: readonly Target[] = targets.filter(({ operation }) =>
  /^(order|cart|checkin|gift_card_transact|voucher|waiting|event_seat|device_)/.test(operation.operationId),
)

/** What is known of the server, by the path of a collection as well. */
export interface Memory extends Known {
  /** The slug of the organizer whose server is asked. */
  readonly organizer: string
  below(collection: string): readonly unknown[]
  enter(event: string): void
  /** Bodies of an operation that were taken before. */
  taken(operation: string): readonly string[]
}

/** A value as a part of an address; not what an address leaves out. */
function segment(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const part = encodeURIComponent(text.slice(0, 300).toWellFormed())
  return /^\.{0,2}$/.test(part) ? 'x' : part
}

function addressOf(draw: Draw, path: string, memory: Memory): string {
  let address = ''
  for (const part of path.split('/').slice(1)) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    const isOdd = draw() < 0.03
    if (name === undefined) address += `/${part}`
    else if (isOdd) address += `/${segment(pick(draw, hostile))}`
    else if (name === 'organizer') address += `/${memory.organizer}`
    else if (name === 'event') {
      const event = draw() < 0.7 ? 'gala' : 'tour'
      memory.enter(event)
      address += `/${event}`
    } else if (name === 'output') address += `/${pick(draw, ['pdf', 'roll', 'paper'])}`
    else {
      const own = memory.below(`${address}/`)
      address += `/${own.length > 0 ? segment(pick(draw, own)) : pick(draw, ['1', '7', '99999'])}`
    }
  }
  return address
}

function queryOf(draw: Draw, { parameters = [] }: Described, known: Known): string {
  const words: string[] = []
  for (const { name, schema } of parameters) {
    if (draw() > 0.12 || name === 'wait') continue
    const value = draw() < 0.75 ? invent(draw, schema, known, name) : pick(draw, hostile)
    const values = Array.isArray(value) && value.length > 0 ? value : [value]
    for (const one of values)
      words.push(`${name === 'attr' ? 'attr%5Bgenre%5D' : name}=${segment(name === 'attr' ? 'rock' : one)}`)
  }
  return words.length > 0 ? `?${words.join('&')}` : ''
}

const broken = [
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '5',
  '{"a":1}x',
  '[[]]',
  '{"a":"\\ud800"}',
  '\u0000',
  '{}'.repeat(3),
]

const json = (value: unknown): string => JSON.stringify(value) ?? 'null'

function bodyOf(draw: Draw, { operationId, requestBody }: Described, known: Memory): string | undefined {
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema
  if (draw() < 0.03) return pick(draw, broken)
  if (!schema) return draw() < 0.1 ? json(pick(draw, hostile)) : undefined
  const chance = draw()
  if (chance < 0.05) return json(pick(draw, hostile))
  const taken = known.taken(operationId)
  const value = taken.length > 0 && draw() < 0.5 ? JSON.parse(pick(draw, taken)) : invent(draw, schema, known)
  return json(chance < 0.45 ? spoil(draw, value) : value)
}

const credentials = [
  ...Array.from({ length: 30 }, () => 'Token all'),
  'Token looker',
  'Device till',
  'Device till',
  'Device gate',
  'Token none',
  'Basic YTpi',
  '',
]

/** A request for an operation: valid, nearly so, or far from it; by one of the credentials. */
export function draft(
  draw: Draw,
  { method, path, operation }: Target,
  memory: Memory,
  from: readonly string[] = credentials,
): Request {
  const address = addressOf(draw, path, memory)
  const sent = draw() < 0.005 ? pick(draw, ['PUT', 'PATCH', 'POST', 'HEAD', 'OPTIONS']) : method
  const body = /GET|HEAD/.test(sent) ? undefined : bodyOf(draw, operation, memory)
  const isDevices = /\/sync\/|\/device\//.test(path)
  const Authorization = isDevices && draw() < 0.8 ? 'Device till' : pick(draw, from)
  return {
    method: sent,
    path: address + queryOf(draw, operation, memory),
    body,
    headers: {
      Authorization,
      ...(draw() < 0.01 ? { 'Content-Type': 'text/plain' } : {}),
      ...(draw() < 0.02 ? { 'If-Modified-Since': 'Fri, 01 Jan 2038 00:00:00 GMT' } : {}),
      ...(draw() < 0.01 ? { 'If-Unmodified-Since': 'Fri, 01 Jan 2016 00:00:00 GMT' } : {}),
    },
  }
}
