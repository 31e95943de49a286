import { numberPositions } from '../domain/order-numbers.ts'
import { smallestAmount } from '../domain/rounding.ts'
import { type FieldErrors, invalid } from '../errors.ts'
import type { Actor } from '../resource/actor.ts'
import type { Place, Tx } from '../resource/transactions.ts'
import { type Attempt, aligned, attempt } from './attempts.ts'
import { type Catalogue, loadCatalogue } from './order-catalogue.ts'
import { takenCodes, takenSecrets } from './order-codes.ts'
import type { CreatedOrder, EventAt, OrderDraft, PositionDraft } from './order-draft.ts'
import { createOrders } from './order-drafts.ts'
import { payNewOrder } from './order-first-payment.ts'
import type { OrderInput } from './order-input.ts'
import { type PriceTerms, priceFees, pricePosition } from './order-pricing.ts'
import { totalOf } from './order-rows.ts'
import { checkAnswers, checkChoice } from './position-check.ts'
import type { PositionInput } from './position-input.ts'
import { shortageText, takeFromQuotas } from './quota-usage.ts'

/** Creates an order as it was asked for; throws 400 with messages aligned with the body when it cannot be. */
export async function createOrder(
  tx: Tx,
  actor: Actor,
  at: EventAt,
  input: OrderInput,
): Promise<CreatedOrder> {
  const draft = await draftOrder(tx, at, input)
  const [created] = await createOrders(tx, actor, at, [draft])
  if (!created) throw new Error('An order that was to be created was not.')
  return created
}

/** Thirteen digits, as an amount of money may have, in hundredths. */
const largestTotal = 9_999_999_999_999

async function draftOrder(tx: Tx, at: EventAt, input: OrderInput): Promise<OrderDraft> {
  const { facts, invoice_address } = input
  const catalogue = await catalogueFor(tx, at.place, input.positions)
  const terms: PriceTerms = { catalogue, address: invoice_address, step: smallestAmount(at.event.currency) }
  const positions = await draftPositions(tx, at, input, terms)
  refuseUnknownRules(catalogue, input)
  if (!input.force) await sellFromQuotas(tx, at.place, positions)
  if (facts.code && (await takenCodes(tx, at.place.organizer, [facts.code])).size > 0)
    throw invalid({ code: ['This order code is already in use.'] })
  const fees = priceFees(terms, input.fees, positions)
  const total = totalOf({ positions, fees })
  if (Math.abs(total) > largestTotal) throw invalid(['The order costs more than can be stored.'])
  return { ...facts, invoice_address, positions, fees, ...payNewOrder(input, total, tx.now) }
}

/** The part of the catalogue that some positions are about. */
export const catalogueFor = (
  tx: Tx,
  place: Place,
  positions: readonly Pick<PositionInput, 'item' | 'subevent' | 'answers'>[],
): Promise<Catalogue> =>
  loadCatalogue(tx, place, {
    items: positions.map(({ item }) => item),
    subevents: positions.flatMap(({ subevent }) => subevent ?? []),
    questions: positions.flatMap(({ answers }) => answers.map(({ question }) => question)),
  })

/** Checks positions against the catalogue, all of them before anything is refused, and prices them. */
async function draftPositions(
  tx: Tx,
  at: EventAt,
  input: OrderInput,
  terms: PriceTerms,
): Promise<PositionDraft[]> {
  const numbering = numberPositions(input.positions)
  const secrets = input.positions.flatMap(({ secret }) => secret || [])
  const taken = await takenSecrets(tx, at.place, secrets)
  const attempts = input.positions.map((position, index): Attempt<PositionDraft> => {
    const errors: FieldErrors = numbering.ok ? {} : { ...numbering.errors[index] }
    const { secret } = position
    if (secret && (taken.has(secret) || secrets.indexOf(secret) !== secrets.lastIndexOf(secret)))
      errors.secret = ['This ticket code is already in use.']
    const item = attempt(() => checkChoice(terms.catalogue, at, position, input.force))
    const answers = attempt(() => checkAnswers(terms.catalogue, at, position.answers))
    for (const read of [item, answers]) if (!read.ok) Object.assign(errors, read.errors)
    if (!item.ok || !answers.ok || Object.keys(errors).length > 0) return { ok: false, errors }
    return { ok: true, value: pricePosition(terms, item.value, position, index + 1, answers.value) }
  })
  const errors = aligned(attempts)
  if (errors) throw invalid({ positions: errors })
  return attempts.flatMap((one) => (one.ok ? [one.value] : []))
}

function refuseUnknownRules({ taxRules }: Catalogue, { fees }: OrderInput): void {
  const errors = fees.map(({ tax_rule }) =>
    tax_rule === null || taxRules.has(tax_rule)
      ? {}
      : { tax_rule: [`Invalid pk "${tax_rule}" - object does not exist.`] },
  )
  if (errors.some((one) => Object.keys(one).length > 0)) throw invalid({ fees: errors })
}

async function sellFromQuotas(tx: Tx, place: Place, positions: readonly PositionDraft[]): Promise<void> {
  const lines = positions.map(({ item, variation = null, subevent = null }) => ({
    item,
    variation,
    subevent,
  }))
  const shortages = await takeFromQuotas(tx, place, lines)
  if (shortages.every((shortage) => shortage === null)) return
  throw invalid({
    positions: shortages.map((shortage) => (shortage ? { item: [shortageText(shortage)] } : {})),
  })
}
