import { type Signal, useSignal } from '@preact/signals'
import type { AddonChoice, SoldProduct } from '../../../schema/bodies/sale-catalogue.ts'
import { Button, Buttons } from '../../parts/button.tsx'
import { LabelledField } from '../../parts/field.tsx'
import { count } from '../../text/format.ts'
import { hundredthsOf, writtenAmount } from '../amounts.ts'
import { useTill } from '../context.ts'
import { addonsFor, type BasketAddon } from './basket.ts'
import { withVoucher } from './next-basket.ts'
import style from './product-choice.module.css'
import { Stepper } from './stepper.tsx'

/** The form of a product, and what goes with it, before it is in the basket. */
export function ProductChoice() {
  const { till, state, t, language, named } = useTill()
  const product = state.catalogue?.products.find(({ id }) => id === state.choosing)
  const chosen = useSignal<readonly BasketAddon[]>([])
  const wish = useSignal('')
  if (!product || !state.catalogue) return null
  const groups = addonsFor(state.catalogue, product)
  const missing = groups.find(({ choice, products }) => countIn(chosen.value, products) < choice.min_count)
  const wished = product.free_price ? wishedPrice(wish.value) : null
  const add = (variation: number | null) => {
    const price = wished === null ? {} : { price: wished }
    const more = { ...withVoucher(state), ...price }
    const choice = { product: product.id, variation, subevent: state.date, addons: chosen.value, ...more }
    till.send({ type: 'added', choice, count: state.quantity ?? 1 })
  }
  return (
    <section class={style.choice} aria-label={named(product.name)}>
      <h1>
        {state.quantity !== null && `${count(state.quantity, language)} × `}
        {named(product.name)}
      </h1>
      {groups.map(({ choice, products }) => (
        <Addons key={choice.category} choice={choice} products={products} chosen={chosen} />
      ))}
      {product.free_price && (
        <LabelledField id="till-price" label={t('till.free-price')} text={wish} inputMode="decimal" />
      )}
      <Forms product={product} blocked={missing !== undefined} wished={wished} onChoose={add} />
      {missing && <p role="status">{t('till.addons-missing', { count: missing.choice.min_count })}</p>}
      <Buttons>
        <Button icon="back" onPress={() => till.send({ type: 'choice-closed' })}>
          {t('back')}
        </Button>
      </Buttons>
    </section>
  )
}

const countIn = (addons: readonly BasketAddon[], products: readonly SoldProduct[]): number =>
  addons.reduce(
    (sum, { product, count }) => (products.some(({ id }) => id === product) ? sum + count : sum),
    0,
  )

/** What somebody wants to pay, or null where they have said nothing. */
const wishedPrice = (text: string): string | null => (text.trim() === '' ? null : (writtenAmount(text) ?? ''))

interface FormsProps {
  readonly product: SoldProduct
  readonly blocked: boolean
  /** What the buyer wants to pay; null for the price, empty where that is no amount. */
  readonly wished: string | null
  readonly onChoose: (variation: number | null) => void
}

/** One press chooses the form and puts it into the basket. */
function Forms({ product, blocked, wished, onChoose }: FormsProps) {
  const { t, amount, named } = useTill()
  const isTooLittle = (price: string): boolean =>
    wished !== null && (wished === '' || hundredthsOf(wished) < hundredthsOf(price))
  const toPay = (price: string): string => amount(isTooLittle(price) || wished === null ? price : wished)
  if (product.variations.length === 0)
    return (
      <>
        {isTooLittle(product.price) && (
          <p role="status">{t('till.too-little', { amount: amount(product.price) })}</p>
        )}
        <Button
          kind="primary"
          disabled={blocked || isTooLittle(product.price)}
          onPress={() => onChoose(null)}
        >
          {t('till.add', { amount: toPay(product.price) })}
        </Button>
      </>
    )
  return (
    <ul class={style.forms}>
      {product.variations.map(({ id, name, price, left }) => (
        <li key={id}>
          <button
            type="button"
            class={style.form}
            disabled={blocked || left === 0 || isTooLittle(price)}
            onClick={() => onChoose(id)}
          >
            <strong>{named(name)}</strong>
            <span>{left === 0 ? t('till.sold-out') : toPay(price)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** One thing that can be added. */
interface AddonRow extends Omit<BasketAddon, 'count'> {
  readonly name: string
  readonly price: string
  readonly left: number | null
}

interface AddonsProps {
  readonly choice: AddonChoice
  readonly products: readonly SoldProduct[]
  readonly chosen: Signal<readonly BasketAddon[]>
}

/** What of a category goes with a product: as many as it allows. */
function Addons({ choice, products, chosen }: AddonsProps) {
  const { state, t, amount, named } = useTill()
  const category = state.catalogue?.categories.find(({ id }) => id === choice.category)
  const inAll = countIn(chosen.value, products)
  const rows = products.flatMap((product): AddonRow[] => {
    const name = named(product.name)
    if (product.variations.length === 0) return [{ ...product, product: product.id, variation: null, name }]
    return product.variations.map((form) => ({
      ...form,
      product: product.id,
      variation: form.id,
      name: `${name} · ${named(form.name)}`,
    }))
  })
  return (
    <fieldset class={style.addons}>
      <legend>
        {named(category?.name)} · {t('till.addons', { min: choice.min_count, max: choice.max_count })}
      </legend>
      {rows.map(({ product, variation, name, price, left }) => {
        const isThis = (one: BasketAddon) => one.product === product && one.variation === variation
        const count = chosen.value.find(isThis)?.count ?? 0
        const most = choice.multi_allowed ? choice.max_count : 1
        const room = Math.min(most, count + choice.max_count - inAll, left ?? most)
        return (
          <div key={`${product}/${variation}`} class={style.addon}>
            <span>
              <strong>{name}</strong>
              <small>{choice.price_included ? t('till.included') : amount(price)}</small>
            </span>
            <Stepper
              label={name}
              count={count}
              most={room}
              onCount={(next) => {
                const others = chosen.value.filter((one) => !isThis(one))
                chosen.value = next === 0 ? others : [...others, { product, variation, count: next }]
              }}
            />
          </div>
        )
      })}
    </fieldset>
  )
}
