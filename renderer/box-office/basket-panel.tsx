import { Button } from '../parts/button.tsx'
import { tillShortcuts } from '../scanning/shortcuts.ts'
import { count } from '../text/format.ts'
import { hundredthsOf } from './amounts.ts'
import { type BasketLine, ticketCount } from './basket.ts'
import style from './basket-panel.module.css'
import { useTill } from './context.ts'
import { Stepper } from './stepper.tsx'
import { objectionNow, pricedNow } from './till-state.ts'

/** What a guest is about to buy, and what it costs. */
export function BasketPanel() {
  const { till, state, t, language } = useTill()
  const { lines, payment } = state
  const objection = objectionNow(state)
  const tickets = ticketCount(lines)
  return (
    <aside class={style.basket} aria-label={t('till.basket')}>
      <header>
        <h2>{t('till.basket')}</h2>
        {tickets > 0 && <span>{t('till.tickets', { count: count(tickets, language) })}</span>}
      </header>
      {lines.length === 0 && <p class={style.empty}>{t('till.empty')}</p>}
      <ul class={style.lines}>
        {lines.map((line) => (
          <Line key={line.key} line={line} />
        ))}
      </ul>
      {objection?.general && (
        <p class={style.objection} role="alert">
          {objection.general}
        </p>
      )}
      {lines.length > 0 && !payment && <Total />}
      {lines.length > 0 && !payment && (
        <Button kind="quiet" icon="close" onPress={() => till.send({ type: 'emptied' })}>
          {t('till.clear')}
        </Button>
      )}
    </aside>
  )
}

function Line({ line }: { readonly line: BasketLine }) {
  const { till, state, t, amount, named } = useTill()
  const products = state.catalogue?.products ?? []
  const nameOf = (id: number, form: number | null): string => {
    const product = products.find((one) => one.id === id)
    const variation = product?.variations.find((one) => one.id === form)
    return [named(product?.name), variation && named(variation.name)].filter(Boolean).join(' · ')
  }
  const date = state.catalogue?.dates.find(({ id }) => id === line.subevent)
  const objection = objectionNow(state)?.lines[line.key]
  const price = pricedNow(state)?.lines[line.key]
  const name = nameOf(line.product, line.variation)
  return (
    <li class={style.line}>
      <div>
        <strong>{name}</strong>
        {line.seat && <small>{line.seat.name}</small>}
        {date && <small>{named(date.name)}</small>}
        {line.addons.map((addon) => (
          <small key={`${addon.product}/${addon.variation}`}>
            {t('till.with', { count: addon.count, name: nameOf(addon.product, addon.variation) })}
          </small>
        ))}
        {objection && (
          <small class={style.objection} role="alert">
            {objection}
          </small>
        )}
      </div>
      <Stepper
        label={name}
        count={line.count}
        {...(line.seat ? { most: 1 } : {})}
        disabled={state.payment !== null}
        onCount={(next) => till.send({ type: 'counted', key: line.key, count: next })}
      />
      <span class={style.price}>{price === undefined ? '…' : amount(price)}</span>
    </li>
  )
}

/** What the server says that it costs; it is paid with one press. */
function Total() {
  const { till, state, t, amount } = useTill()
  const priced = pricedNow(state)
  const isFree = priced !== null && hundredthsOf(priced.total) === 0
  return (
    <div class={style.total}>
      <p>
        <span>{t('till.total')}</span>
        <b data-total={priced?.total ?? ''}>{priced ? amount(priced.total) : '…'}</b>
      </p>
      <Button kind="primary" disabled={!priced} onPress={till.pay}>
        {isFree ? t('till.issue') : t('till.pay')} <kbd>{tillShortcuts.pay}</kbd>
      </Button>
    </div>
  )
}
