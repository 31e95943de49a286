import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks'
import type { SoldProduct } from '../../../schema/bodies/sale-catalogue.ts'
import type { SaleSeats } from '../../../schema/bodies/seats.ts'
import { Button, Buttons } from '../../parts/button.tsx'
import { useTill } from '../context.ts'
import { heldFor } from '../selling/basket.ts'
import { Stepper } from '../selling/stepper.tsx'
import style from './seat-panel.module.css'
import { bestSeats, isFree, type PlacedSeat, placeSeats } from './seat-plan.ts'
import { SeatPlanView } from './seat-plan-view.tsx'

const largestParty = 12

/** The seats of the chosen date: one press, or Enter, puts one into the basket. */
export function SeatPanel() {
  const { till, state, t, language, named } = useTill()
  const plan = useSignal<SaleSeats | null>(null)
  const message = useSignal('')
  const product = state.catalogue?.products.find(({ id }) => id === state.choosing)
  const variation = useSignal(firstForm(product))
  const look = async () => {
    const answer = await till.seats.load()
    if (answer.ok) plan.value = answer.value
    else message.value = answer.problem.detail
  }
  useEffect(() => void look(), [state.date, state.catalogue])
  const seats = useMemo(
    () =>
      placeSeats(plan.value?.seats ?? [], {
        row: (number) => t('till.seat.row', { number }),
        seat: (number) => t('till.seat.number', { number }),
      }),
    [plan.value, language],
  )
  const mine = useMemo(() => new Set(heldFor(state.lines).map(({ guid }) => guid)), [state.lines])
  if (!product) return null

  const formOf = (id: number | null): number | null =>
    id === product.id ? variation.value : firstForm(state.catalogue?.products.find((one) => one.id === id))
  async function take(chosen: readonly PlacedSeat[]) {
    message.value = await till.seats.take(
      chosen.map((seat) => {
        const form = formOf(seat.product)
        return { seat, variation: form, price: priceOf(seat.product, form) ?? '0.00' }
      }),
    )
    await look()
  }
  const products = state.catalogue?.products ?? []
  const priceOf = (id: number | null, form: number | null): string | null => {
    const sold = products.find((one) => one.id === id)
    return sold?.variations.find((one) => one.id === form)?.price ?? sold?.price ?? null
  }
  const sellsBlocked = plan.value?.sells_blocked ?? false
  const press = (seat: PlacedSeat) => {
    const line = state.lines.find((one) => one.seat?.guid === seat.guid)
    if (line) {
      till.send({ type: 'counted', key: line.key, count: 0 })
      void look()
    } else if (!isFree(seat, sellsBlocked)) message.value = t(`till.seat.why.${seat.state}`)
    else if (!products.some(({ id }) => id === seat.product)) message.value = t('till.seat.no-product')
    else void take([seat])
  }
  const best = (count: number) => {
    const found = bestSeats(seats, { product: product.id, count, sellsBlocked, taken: mine })
    if (found.length === 0) message.value = t('till.seats.none-together', { count })
    else void take(found)
  }
  return (
    <section class={style.panel} aria-label={t('till.seats')}>
      <header>
        <h1>{named(product.name)}</h1>
        <Party isReady={plan.value !== null} onBest={best} />
      </header>
      {product.variations.length > 0 && <Forms product={product} chosen={variation} />}
      {message.value !== '' && (
        <p class={style.message} role="alert">
          {message}
        </p>
      )}
      {plan.value && (
        <SeatPlanView
          seats={seats}
          categories={plan.value.categories}
          mine={mine}
          sellsBlocked={sellsBlocked}
          priceOf={(seat) => priceOf(seat.product, formOf(seat.product))}
          onPress={press}
        />
      )}
      <Buttons>
        <Button icon="check" onPress={() => till.send({ type: 'choice-closed' })}>
          {t('till.seats.done')}
        </Button>
      </Buttons>
    </section>
  )
}

const firstForm = (product: SoldProduct | undefined): number | null =>
  product?.variations.find(({ left }) => left !== 0)?.id ?? null

interface PartyProps {
  /** The plan is there: before that, no seat is known to be free. */
  readonly isReady: boolean
  readonly onBest: (count: number) => void
}

/** How many want to sit beside each other. */
function Party({ isReady, onBest }: PartyProps) {
  const { t } = useTill()
  const count = useSignal(2)
  return (
    <div class={style.party}>
      <Stepper
        label={t('till.seats.party')}
        count={count.value}
        most={largestParty}
        onCount={(next) => {
          count.value = Math.max(1, next)
        }}
      />
      <Button disabled={!isReady} onPress={() => onBest(count.value)}>
        {t('till.seats.best', { count: count.value })}
      </Button>
    </div>
  )
}

interface FormsProps {
  readonly product: SoldProduct
  readonly chosen: Signal<number | null>
}

/** As which form of the product the next seats are sold. */
function Forms({ product, chosen }: FormsProps) {
  const { t, amount, named } = useTill()
  useLayoutEffect(() => {
    if (!product.variations.some(({ id }) => id === chosen.value)) chosen.value = firstForm(product)
  }, [product])
  return (
    <fieldset class={style.forms} aria-label={t('till.seats.sold-as')}>
      {product.variations.map(({ id, name, price, left }) => (
        <button
          key={id}
          type="button"
          aria-pressed={chosen.value === id}
          disabled={left === 0}
          onClick={() => {
            chosen.value = id
          }}
        >
          <strong>{named(name)}</strong> {amount(price)}
        </button>
      ))}
    </fieldset>
  )
}
