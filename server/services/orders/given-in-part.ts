import { eventSettings, type Setting } from '../../../schema/event-settings.ts'
import { conflict } from '../../../schema/resources/checkin/conflict.ts'
import { type InvoiceAddress, order } from '../../../schema/resources/orders/order.ts'
import { orderPosition, type StoredAnswer } from '../../../schema/resources/orders/order-position.ts'
import type { Audience } from '../../../schema/security-profiles.ts'
import { onlyReferences } from '../../domain/orders/order-references.ts'
import { maskedCells, maskedFields } from '../../resource/mask.ts'
import type { Cells, Queryable } from '../../storage/database.ts'
import { type AskedQuestions, askedAtEntrance } from '../catalogue/questions.ts'
import type { PositionCells } from './position-rows.ts'

/** What is left of a cell; `asked` are the questions that an entrance asks or shows, by event. */
type Part = (cell: string, row: Cells, asked: AskedQuestions) => string

const declared: Readonly<Record<string, Setting>> = eventSettings
const shared = new Set(Object.entries(declared).flatMap(([name, one]) => (one.shared ? [name] : [])))

const sharedSettings: Part = (cell) =>
  JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(cell)).filter(([name]) => shared.has(name))))

/** What a badge may say, and by what somebody is found. */
const nameOnAddress: Part = (cell) => {
  const { last_modified, is_business, company, name, name_parts } = JSON.parse(cell) as InvoiceAddress
  return JSON.stringify({
    ...{ last_modified, is_business, company, name, name_parts },
    ...{ street: '', zipcode: '', city: '', country: '', state: '', internal_reference: '' },
    ...{ vat_id: '', vat_id_validated: false, custom_field: null },
  } satisfies InvoiceAddress)
}

const askedAnswers: Part = (cell, row, asked) => {
  const answers: readonly StoredAnswer[] = JSON.parse(cell)
  const ids = asked.get(Number(row.event))
  return JSON.stringify(answers.filter(({ question }) => ids?.has(question)))
}

/** What contradicting check-ins are recognized, named and withdrawn by. */
const ofCheckins = new Set([
  ...['nonce', 'other_nonce', 'gate', 'other_gate', 'site', 'other_site'],
  ...['reason', 'cause', 'force_sent', 'milliseconds', 'raw_barcode'],
])

const checkinData: Part = (cell) =>
  JSON.stringify(
    Object.fromEntries(Object.entries(JSON.parse(cell)).filter(([name]) => ofCheckins.has(name))),
  )

const parts: Readonly<Record<Audience, Readonly<Record<string, Part>>>> = {
  entrance: {
    'organizer.settings': sharedSettings,
    'event.settings': sharedSettings,
    'order_position.answers': askedAnswers,
    'conflict.data': checkinData,
  },
  checkin: {
    'organizer.settings': sharedSettings,
    'event.settings': sharedSettings,
    'order.comment': onlyReferences,
    'order.invoice_address': nameOnAddress,
    'conflict.data': checkinData,
  },
  sale: {},
}

/** What an audience is given of a column, where that is a part of what is stored. */
export const partGiven = (resource: string, column: string, audience: Audience): Part | undefined =>
  parts[audience][`${resource}.${column}`]

/** A stored cell after its part was taken; nothing stays nothing. */
export const takePart = (
  part: Part | undefined,
  name: string,
  row: Cells,
  asked: AskedQuestions,
): string | number | null => {
  const cell = row[name] ?? null
  return part && typeof cell === 'string' ? part(cell, row, asked) : cell
}

const none: AskedQuestions = new Map()

/** The stored cells of orders as an audience is given them. */
export function maskedOrders<T extends Cells & { readonly invoice_address: string | null }>(
  audience: Audience,
  orders: readonly T[],
): readonly T[] {
  if (audience === 'sale') return orders
  return orders.map((cells) => {
    const masked = maskedCells(order, audience, cells)
    const of = (name: string) => takePart(partGiven(order.name, name, audience), name, masked, none)
    const address = of('invoice_address')
    return Object.assign({}, masked, {
      comment: of('comment'),
      invoice_address: address === null ? null : String(address),
    })
  })
}

/** The stored cells of a conflict as an audience is given them. */
export const maskedConflict = (audience: Audience, cells: Cells): Cells => ({
  ...maskedCells(conflict, audience, cells),
  data: takePart(partGiven(conflict.name, 'data', audience), 'data', cells, none),
})

/** What positions are selected with of their orders and parents, and where that is stored. */
const joined = [
  ['order_email', order, 'email'],
  ['order_address', order, 'invoice_address'],
  ['parent_email', orderPosition, 'attendee_email'],
  ['parent_answers', orderPosition, 'answers'],
] as const

/** The stored cells of positions, with those of their orders and parents, as an audience is given them. */
export async function maskedPositions(
  db: Queryable,
  organizer: number,
  audience: Audience,
  positions: readonly PositionCells[],
): Promise<readonly PositionCells[]> {
  if (audience === 'sale' || positions.length === 0) return positions
  const asked = await askedAtEntrance(db, organizer)
  return positions.map((cells) => {
    const elsewhere = joined.map(([name, resource, column]) => {
      const isMasked = maskedFields(resource, audience).has(column)
      const part = partGiven(resource.name, column, audience)
      return [name, isMasked ? null : takePart(part, name, cells, asked)] as const
    })
    const answers = takePart(partGiven(orderPosition.name, 'answers', audience), 'answers', cells, asked)
    const masked = maskedCells(orderPosition, audience, cells)
    return Object.assign({}, masked, Object.fromEntries(elsewhere), {
      answers: answers === null ? null : String(answers),
    })
  })
}
