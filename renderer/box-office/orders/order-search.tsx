import { useEffect, useRef } from 'preact/hooks'
import type { TillOrder } from '../../api/orders-api.ts'
import { Button } from '../../parts/button.tsx'
import { HiddenTitle } from '../../parts/visually-hidden.tsx'
import { useTill } from '../context.ts'
import style from './order-search.module.css'
import { dueOf, type OrderLookup } from './order-state.ts'

/** Finds orders by what a guest knows of them. */
export function OrderSearch() {
  const { till, state, t } = useTill()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  const { orders } = state
  if (!orders) return null
  return (
    <search class={style.search} aria-label={t('till.find')}>
      <HiddenTitle>{t('till.find')}</HiddenTitle>
      <header>
        <input
          ref={input}
          id="till-order"
          type="search"
          autocomplete="off"
          spellcheck={false}
          placeholder={t('till.find-how')}
          aria-label={t('till.find-how')}
          value={orders.text}
          onInput={(event) => till.find(event.currentTarget.value)}
        />
        <Button icon="back" onPress={() => till.send({ type: 'orders-closed' })}>
          {t('back')}
        </Button>
      </header>
      <p role="status">{outcome(orders, t)}</p>
      <ul class={style.found}>
        {orders.found?.map((order) => (
          <li key={order.code}>
            <Row order={order} />
          </li>
        ))}
      </ul>
      {orders.found && orders.found.length < orders.count && (
        <Button icon="next" onPress={() => void till.showMore()}>
          {t('till.show-more', { shown: orders.found.length, count: orders.count })}
        </Button>
      )}
    </search>
  )
}

function outcome({ text, found, trouble }: OrderLookup, t: ReturnType<typeof useTill>['t']): string {
  if (trouble !== null) return trouble || t('till.not-searched')
  if (found) return found.length === 0 ? t('till.none-found') : ''
  return text.trim().length < 2 ? '' : t('till.looking')
}

function Row({ order }: { readonly order: TillOrder }) {
  const { till, t, amount } = useTill()
  const names = [...new Set(order.positions.flatMap(({ attendee_name }) => attendee_name ?? []))]
  return (
    <button
      type="button"
      class={style.row}
      data-code={order.code}
      onClick={() => till.send({ type: 'order-chosen', code: order.code })}
    >
      <strong>
        <bdi dir="ltr">{order.code}</bdi>
      </strong>
      <span>
        <bdi>{names.slice(0, 2).join(', ') || order.email || ''}</bdi>
      </span>
      <span>{amount(order.total)}</span>
      <b data-due={dueOf(order) > 0}>
        {t(order.require_approval ? 'till.awaits-approval' : `till.status.${order.status}`)}
      </b>
    </button>
  )
}
