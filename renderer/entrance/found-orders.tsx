import { Button } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { PrintButtons } from '../printing/print-buttons.tsx'
import { directionOf } from '../scanning/desk-state.ts'
import { formatMoment } from '../text/format.ts'
import { localized } from '../text/translate.ts'
import style from './found-orders.module.css'
import { expectedTickets, type FoundOrder, type FoundTicket } from './found-tickets.ts'

/** Found tickets, those of an order together, each with a button that admits it. */
export function FoundOrders({ orders }: { readonly orders: readonly FoundOrder[] }) {
  return (
    <ul class={style.orders}>
      {orders.map((order) => (
        <FoundOrderItem key={order.order} order={order} />
      ))}
    </ul>
  )
}

function FoundOrderItem({ order }: { readonly order: FoundOrder }) {
  const { desk, voice, actions } = useApp()
  const exit = directionOf(desk.state.value) === 'exit'
  const all = expectedTickets(order)
  return (
    <li class={style.order}>
      {order.tickets.length > 1 && (
        <header>
          <span>{voice.t('search.order', { order: order.order, count: order.tickets.length })}</span>
          {all.length > 1 && (
            <Button icon="check" onPress={() => actions.admit(all.map((ticket) => ticket.position.secret))}>
              {voice.t(exit ? 'search.exit-all' : 'search.admit-all', { count: all.length })}
            </Button>
          )}
        </header>
      )}
      <ul>
        {order.tickets.map((ticket) => (
          <Row key={ticket.position.id} ticket={ticket} />
        ))}
      </ul>
    </li>
  )
}

function Row({ ticket }: { readonly ticket: FoundTicket }) {
  const { desk, voice, actions } = useApp()
  const { t, language } = voice
  const { position } = ticket
  const exit = directionOf(desk.state.value) === 'exit'
  const order = `${position.order}-${position.positionid}`
  const name = position.attendee_name ?? t('ticket.order', { order })
  const label = t(exit ? 'search.exit' : 'search.admit')
  return (
    <li class={style.ticket} data-payment={ticket.payment} data-presence={ticket.presence.where}>
      <div class={style.who}>
        <strong>{name}</strong>
        <span>{[productOf(ticket, language), position.seat?.name, order].filter(Boolean).join(' · ')}</span>
      </div>
      <div class={style.marks}>
        <span class={style.mark} data-mark={ticket.payment}>
          {t(`payment.${ticket.payment}`)}
        </span>
        {ticket.presence.where !== 'out' && (
          <span class={style.mark} data-mark={ticket.presence.where}>
            {t(`presence.${ticket.presence.where}`, { when: since(ticket, voice) })}
          </span>
        )}
      </div>
      {ticket.payment !== 'canceled' && (
        <Button
          kind={ticket.expected ? 'primary' : 'plain'}
          data-row
          label={`${label}: ${name}, ${order}`}
          onPress={() => actions.admit([position.secret])}
        >
          {label}
        </Button>
      )}
      {ticket.payment !== 'canceled' && (
        <PrintButtons position={position.id} name={`${name}, ${order}`} quiet />
      )}
    </li>
  )
}

function productOf({ position }: FoundTicket, language: string): string {
  const item = typeof position.item === 'object' ? localized(position.item.name, language) : ''
  const variation =
    typeof position.variation === 'object' && position.variation
      ? localized(position.variation.value, language)
      : ''
  return [item, variation].filter(Boolean).join(' – ')
}

function since(
  { presence }: FoundTicket,
  { language, timeZone }: ReturnType<typeof useApp>['voice'],
): string {
  if (presence.where === 'out') return ''
  return formatMoment(presence.since, new Date().toISOString(), timeZone, language)
}
