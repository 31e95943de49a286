import { ticketsAddress } from '../api/sales-api.ts'
import { Button, Buttons, Download } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { decimalOf } from './amounts.ts'
import { useTill } from './context.ts'
import style from './order-panel.module.css'
import { type OrderActs, OrderAfterwards, useOrderActs } from './orders/order-acts.tsx'
import { chosenOrder, dueOf } from './till-state.ts'

/** An order that somebody pays for, or picks up. */
export function OrderPanel() {
  const { till, state, t, amount } = useTill()
  const { desk } = useApp()
  const order = chosenOrder(state)
  const acts = useOrderActs(order)
  const settings = desk.state.value.station?.settings
  if (!order || !settings) return null
  const due = dueOf(order)
  return (
    <section class={style.order} aria-label={`${t('till.order')} ${order.code}`} data-code={order.code}>
      <header>
        <h1>
          {t('till.order')} {order.code}
        </h1>
        <Button icon="back" onPress={() => till.send({ type: 'order-chosen', code: null })}>
          {t('back')}
        </Button>
      </header>
      <p class={style.status} data-status={order.status}>
        {t(order.require_approval ? 'till.awaits-approval' : `till.status.${order.status}`)}
      </p>
      <Lines acts={acts} />
      <dl class={style.sums}>
        <div>
          <dt>{t('till.total')}</dt>
          <dd>{amount(order.total)}</dd>
        </div>
        {due > 0 && (
          <div>
            <dt>{t('till.due')}</dt>
            <dd data-due={decimalOf(due)}>{amount(decimalOf(due))}</dd>
          </div>
        )}
      </dl>
      <Buttons>
        {due > 0 && (
          <Button kind="primary" onPress={till.payOrder}>
            {t('till.take-due', { amount: amount(decimalOf(due)) })}
          </Button>
        )}
        {order.status === 'p' && (
          <Download icon="save" href={ticketsAddress(settings, order.code)} onPress={() => undefined}>
            {t('till.print')}
          </Download>
        )}
      </Buttons>
      <OrderAfterwards order={order} acts={acts} />
    </section>
  )
}

function Lines({ acts }: { readonly acts: OrderActs }) {
  const { state, t, amount, named } = useTill()
  const order = chosenOrder(state)
  const isPart = order !== null && order.status !== 'c' && order.positions.length > 1
  return (
    <ul class={style.lines}>
      {order?.positions.map(({ id, item, variation, price, attendee_name }) => {
        const product = typeof item === 'object' ? named(item.name) : ''
        const form = typeof variation === 'object' ? named(variation?.value) : ''
        return (
          <li key={id}>
            <span>
              <strong>{[product, form].filter(Boolean).join(' · ')}</strong>
              {attendee_name && <small>{attendee_name}</small>}
            </span>
            <span>{amount(price)}</span>
            {isPart && (
              <Button
                kind="quiet"
                icon="close"
                disabled={acts.busy.value}
                label={`${t('order.cancel-position')}: ${product}`}
                onPress={() => void acts.cancelPosition(id)}
              >
                {t('order.cancel-position')}
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
