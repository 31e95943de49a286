import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { SaleCatalogue } from '../../../schema/bodies/sale-catalogue.ts'
import type { Exchange, FoundLine, TillOrder } from '../../api/orders-api.ts'
import type { ApiAnswer } from '../../api/requests.ts'
import { Button, Buttons } from '../../parts/button.tsx'
import { decimalOf } from '../amounts.ts'
import { useTill } from '../context.ts'
import { isSilent } from '../payment/till-sale.ts'
import { DateChoice } from '../selling/date-choice.tsx'
import style from './exchange-panel.module.css'
import { type OrderActs, WaysBack } from './order-acts.tsx'
import { dueOf, owedOf } from './order-state.ts'

type Named = ReturnType<typeof useTill>['named']

/** What a ticket of an order is called: its product, and the form of it. */
export function lineName({ item, variation }: FoundLine, named: Named): string {
  const product = typeof item === 'object' ? named(item.name) : ''
  const form = typeof variation === 'object' ? named(variation?.value) : ''
  return [product, form].filter(Boolean).join(' · ')
}

/** What a ticket can become. */
interface Target extends Omit<Exchange, 'position'> {
  readonly name: string
  readonly price: string
  readonly left: number | null
}

/** All that a ticket can become on the chosen date: what has a seat, a price of the buyer's or add-ons is sold anew instead. */
function targetsFor(line: FoundLine, { subevent, products }: SaleCatalogue, named: Named): readonly Target[] {
  const item = typeof line.item === 'object' ? line.item.id : line.item
  const variation =
    line.variation && (typeof line.variation === 'object' ? line.variation.id : line.variation)
  const all = products
    .filter(
      ({ seated, free_price, addons, bundles }) =>
        !seated && !free_price && bundles.length === 0 && addons.every(({ min_count }) => min_count === 0),
    )
    .flatMap((product): Target[] => {
      const whole = { item: product.id, subevent }
      if (product.variations.length === 0)
        return [{ ...product, ...whole, variation: null, name: named(product.name) }]
      return product.variations.map(({ id, name, price, left }) => ({
        ...{ ...whole, variation: id, price, left },
        name: `${named(product.name)} · ${named(name)}`,
      }))
    })
  const own = { item, variation: variation ?? null, subevent: line.subevent }
  return all.filter((one) => !isSame(one, own))
}

const isSame = (one: Omit<Exchange, 'position'>, other: Omit<Exchange, 'position'>): boolean =>
  one.item === other.item && one.variation === other.variation && one.subevent === other.subevent

/** What the server says of an exchange: what the order would be, or why that cannot be. */
interface Offer {
  readonly target: Target
  readonly answer: ApiAnswer<TillOrder> | null
}

interface Props {
  readonly order: TillOrder
  readonly line: FoundLine
  readonly acts: OrderActs
  readonly onEnd: () => void
}

/** Exchanges a ticket of an order for something else, with the difference. */
export function ExchangePanel({ order, line, acts, onEnd }: Props) {
  const { till, state, t, named } = useTill()
  const offer = useSignal<Offer | null>(null)
  const { catalogue } = state
  // Another date offers something else.
  useEffect(() => {
    offer.value = null
  }, [catalogue?.subevent, offer])
  if (!catalogue) return null
  const targets = targetsFor(line, catalogue, named)

  async function choose(target: Target): Promise<void> {
    offer.value = { target, answer: null }
    const answer = await till.priceExchange(order.code, exchangeOf(line, target))
    if (offer.value?.target === target) offer.value = { target, answer }
  }

  return (
    <section class={style.exchange} aria-labelledby="exchange-title" data-exchange={line.id}>
      <h2 id="exchange-title">{t('exchange.title', { name: lineName(line, named) })}</h2>
      <DateChoice />
      <p>{t(targets.length === 0 ? 'exchange.nothing' : 'exchange.how')}</p>
      {offer.value && <OfferShown order={order} line={line} offer={offer.value} acts={acts} onEnd={onEnd} />}
      <ul class={style.targets}>
        {targets.map((target) => (
          <li key={`${target.item}/${target.variation}`}>
            <TargetButton
              target={target}
              isChosen={offer.value !== null && isSame(offer.value.target, target)}
              onPress={() => void choose(target)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

const exchangeOf = ({ id }: FoundLine, { item, variation, subevent }: Target): Exchange => ({
  ...{ position: id, item, variation, subevent },
})

interface TargetProps {
  readonly target: Target
  readonly isChosen: boolean
  readonly onPress: () => void
}

function TargetButton({ target: { name, price, left }, isChosen, onPress }: TargetProps) {
  const { t, amount } = useTill()
  return (
    <button type="button" aria-pressed={isChosen} disabled={left === 0} onClick={onPress}>
      <strong>{name}</strong>
      <span>{left === 0 ? t('till.sold-out') : amount(price)}</span>
    </button>
  )
}

/** What an exchange costs or brings, and how that is paid or given back. */
function OfferShown({ order, line, offer, acts, onEnd }: Props & { readonly offer: Offer }) {
  const { till, t, amount } = useTill()
  const { target, answer } = offer
  if (!answer) return <p role="status">{t('exchange.looking')}</p>
  if (!answer.ok)
    return (
      <p class={style.trouble} role="alert">
        {(!isSilent(answer.problem) && answer.problem.detail) || t('till.not-searched')}
      </p>
    )
  const after = answer.value
  const exchange = { ...exchangeOf(line, target), total: after.total }
  const [due, owed] = [decimalOf(dueOf(after)), decimalOf(owedOf(after))]
  const done = t('exchange.done', { name: target.name })
  // Somebody who has not paid yet pays for the order as it is then.
  const isPaid = order.status === 'p'
  const exchangeNow = (more: object = {}) => void acts.exchange({ ...exchange, ...more }, done).then(onEnd)
  return (
    <fieldset class={style.offer} aria-label={target.name} data-due={due} data-owed={owed}>
      <p>{t('exchange.becomes', { name: target.name })}</p>
      {isPaid && owedOf(after) > 0 ? (
        <>
          <p>
            {t('order.to-give-back')} <b>{amount(owed)}</b>
          </p>
          <WaysBack
            order={order}
            owed={owed}
            whole
            disabled={acts.busy.value}
            onChoose={(way, back) => exchangeNow({ back: { way, amount: back } })}
          />
        </>
      ) : isPaid && dueOf(after) > 0 ? (
        <>
          <p>
            {t('exchange.due')} <b>{amount(due)}</b>
          </p>
          <Buttons>
            <Button kind="primary" onPress={() => till.payExchange(exchange, due)}>
              {t('exchange.take', { amount: amount(due) })}
            </Button>
          </Buttons>
        </>
      ) : (
        <>
          <p>
            {isPaid ? t('exchange.same') : t('till.total')} {isPaid ? '' : <b>{amount(after.total)}</b>}
          </p>
          <Buttons>
            <Button kind="primary" disabled={acts.busy.value} onPress={() => exchangeNow()}>
              {t('exchange.now')}
            </Button>
          </Buttons>
        </>
      )}
    </fieldset>
  )
}
