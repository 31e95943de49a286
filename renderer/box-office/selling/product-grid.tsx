import type { SaleCatalogue, SoldProduct } from '../../../schema/bodies/sale-catalogue.ts'
import { Button } from '../../parts/button.tsx'
import { SmallField } from '../../parts/field.tsx'
import { HiddenTitle } from '../../parts/visually-hidden.tsx'
import { count } from '../../text/format.ts'
import { useTill } from '../context.ts'
import { countOf } from './basket.ts'
import { bundleName } from './line-words.ts'
import style from './product-grid.module.css'
import { Quantities } from './quantities.tsx'
import { VoucherBar } from './voucher-bar.tsx'

/** From so many products on there is a field to search them by name. */
const manyProducts = 12
/** How few have to be left for their number to stand out. */
const few = 20

/** The products of the event by their categories; one press puts one into the basket. */
export function ProductGrid() {
  const { till, state, t, named } = useTill()
  const { catalogue, trouble } = state
  if (!catalogue)
    return (
      <section class={style.products} aria-label={t('till.products')}>
        {trouble !== null && (
          <div class={style.empty} role="alert">
            <p>{trouble || t('till.trouble')}</p>
            <Button onPress={() => void till.refresh()}>{t('retry')}</Button>
          </div>
        )}
      </section>
    )
  const sought = state.search.trim().toLocaleLowerCase()
  const groups = groupsOf(catalogue, (product) => named(product.name).toLocaleLowerCase().includes(sought))
  return (
    <section class={style.products} aria-label={t('till.products')}>
      <HiddenTitle>{t('till.label')}</HiddenTitle>
      <VoucherBar />
      <Quantities />
      {catalogue.products.length > manyProducts && (
        <SmallField
          id="till-search"
          type="search"
          placeholder={t('till.search')}
          aria-label={t('till.search')}
          value={state.search}
          onInput={(event) => till.send({ type: 'searched', search: event.currentTarget.value })}
        />
      )}
      {catalogue.products.length === 0 && (
        <p class={style.empty}>{t(catalogue.voucher ? 'till.voucher-nothing' : 'till.nothing')}</p>
      )}
      {catalogue.products.length > 0 && groups.length === 0 && (
        <p class={style.empty}>{t('till.not-found')}</p>
      )}
      {groups.map(({ category, hue, products }) => (
        <section key={category?.id ?? 0} class={style.category} data-hue={hue}>
          <h2>{category ? named(category.name) : t('till.other')}</h2>
          <ul class={style.grid}>
            {products.map((product) => (
              <li key={product.id}>
                <ProductTile product={product} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  )
}

/** How many colours there are for categories. */
const hues = 6

/** Products of the categories that are sold by themselves; what is sold out comes last. */
function groupsOf({ categories, products }: SaleCatalogue, fits: (product: SoldProduct) => boolean) {
  const own = categories.filter(({ is_addon }) => !is_addon)
  const isSoldOut = ({ left }: SoldProduct): number => (left === 0 ? 1 : 0)
  return [...own, null].flatMap((category, index) => {
    const known = new Set(categories.map(({ id }) => id))
    const inside = products
      .filter((one) => (category ? one.category === category.id : !known.has(one.category ?? 0)))
      .filter(fits)
      .sort((a, b) => isSoldOut(a) - isSoldOut(b))
    return inside.length === 0 ? [] : [{ category, hue: index % hues, products: inside }]
  })
}

function ProductTile({ product }: { readonly product: SoldProduct }) {
  const { till, state, t, language, amount, named } = useTill()
  const { left } = product
  const chosen = countOf(state.lines, product.id)
  const rest = left === null ? null : Math.max(0, left - chosen)
  const name = named(product.name)
  const prices = [...new Set(product.variations.map(({ price }) => Number(price)))].sort((a, b) => a - b)
  const isRange = prices.length > 1
  const price = amount(isRange ? String(prices[0]) : product.price)
  const stock =
    rest === null ? '' : rest === 0 ? t('till.sold-out') : t('till.left', { count: count(rest, language) })
  return (
    <>
      <button
        type="button"
        class={style.product}
        data-product={product.id}
        disabled={left === 0}
        onClick={() => till.send({ type: 'pressed', product: product.id })}
      >
        <strong>
          {name}
          {product.bundles.map((bundle) => (
            <small key={`${bundle.product}/${bundle.variation}`}>
              {t('till.includes', { count: bundle.count, name: bundleName(bundle, language) })}
            </small>
          ))}
        </strong>
        <span class={style.price}>{isRange ? t('till.from', { amount: price }) : price}</span>
        <span class={style.stock} data-few={rest !== null && rest <= few}>
          {stock}
        </span>
        {chosen > 0 && <b class={style.chosen}>{chosen}</b>}
      </button>
      {chosen > 0 && (
        <button
          type="button"
          class={style.fewer}
          aria-label={t('till.take-out', { name })}
          onClick={() => till.send({ type: 'taken-out', product: product.id })}
        >
          −
        </button>
      )}
    </>
  )
}
