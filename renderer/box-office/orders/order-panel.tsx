import { useSignal } from '@preact/signals'
import { type FoundLine, type TillOrder, ticketsAddress } from '../../api/orders-api.ts'
import { Button, Buttons, Download } from '../../parts/button.tsx'
import { useApp } from '../../parts/context.ts'
import { PageFrame } from '../../parts/page.tsx'
import { PrintButtons } from '../../printing/print-buttons.tsx'
import { beside } from '../../text/direction.ts'
import { decimalOf } from '../amounts.ts'
import { useTill } from '../context.ts'
import { ExchangePanel, lineName } from './exchange-panel.tsx'
import { type OrderActs, OrderAfterwards, useOrderActs } from './order-acts.tsx'
import style from './order-panel.module.css'
import { chosenOrder, dueOf } from './order-state.ts'

/** An order that somebody pays for, or picks up, or has changed. */
export function OrderPanel() {
  const { till, state, t, language } = useTill()
  const order = chosenOrder(state)
  const acts = useOrderActs(order)
  const exchanged = useSignal<FoundLine | null>(null)
  if (!order) return null
  const show = (line: FoundLine | null): void => {
    exchanged.value = line
  }
  const line = exchanged.value
  const title = beside([t('till.order'), order.code], ' ', language)
  const back = (
    <Button icon="back" onPress={() => (line ? show(null) : till.send({ type: 'order-chosen', code: null }))}>
      {t('back')}
    </Button>
  )
  return (
    <PageFrame label={title} title={title} aside={back} data-code={order.code}>
      <div class={style.order}>
        {line ? (
          <ExchangePanel order={order} line={line} acts={acts} onEnd={() => show(null)} />
        ) : (
          <WholeOrder order={order} acts={acts} onExchange={show} />
        )}
      </div>
    </PageFrame>
  )
}

interface WholeProps extends LinesProps {
  readonly order: TillOrder
}

/** What is in an order, what it costs, and what can be done about it. */
function WholeOrder({ order, acts, onExchange }: WholeProps) {
  const { till, t, amount } = useTill()
  const { desk } = useApp()
  const settings = desk.state.value.station?.settings
  const due = dueOf(order)
  return (
    <>
      <p class={style.status} data-status={order.status}>
        {t(order.require_approval ? 'till.awaits-approval' : `till.status.${order.status}`)}
      </p>
      <Lines acts={acts} onExchange={onExchange} />
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
        {order.status === 'p' && settings && (
          <Download icon="save" href={ticketsAddress(settings, order.code)} onPress={() => undefined}>
            {t('till.print')}
          </Download>
        )}
      </Buttons>
      <OrderAfterwards order={order} acts={acts} />
    </>
  )
}

interface LinesProps {
  readonly acts: OrderActs
  readonly onExchange: (line: FoundLine) => void
}

function Lines({ acts, onExchange }: LinesProps) {
  const { state, t, amount, named } = useTill()
  const order = chosenOrder(state)
  const isOpen = order !== null && order.status !== 'c'
  const isPart = isOpen && order.positions.length > 1
  return (
    <ul class={style.lines}>
      {order?.positions.map((line) => {
        const { id, price, attendee_name } = line
        const product = lineName(line, named)
        return (
          <li key={id}>
            <span>
              <strong>{product}</strong>
              {attendee_name && <small>{attendee_name}</small>}
            </span>
            <span>{amount(price)}</span>
            {isOpen && !order.require_approval && (
              <Button
                kind="quiet"
                icon="next"
                disabled={acts.busy.value}
                label={`${t('order.exchange')}: ${product}`}
                onPress={() => onExchange(line)}
              >
                {t('order.exchange')}
              </Button>
            )}
            {order.status === 'p' && <PrintButtons position={id} name={attendee_name || product} quiet />}
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
