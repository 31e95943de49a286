import { type ComponentChildren, Fragment } from 'preact'
import { Button } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { Icon } from '../parts/icon.tsx'
import { PrintButtons } from '../printing/print-buttons.tsx'
import { directionOf } from '../scanning/desk-state.ts'
import { formatMoment } from '../text/format.ts'
import { localized } from '../text/translate.ts'
import style from './found-orders.module.css'
import { expectedTickets, type FoundOrder, type FoundTicket } from './found-tickets.ts'
import { lastSearch } from './last-search.ts'
import { hiddenHit, isHitIn, markedWords } from './search-hits.ts'

interface Props {
  readonly orders: readonly FoundOrder[]
  /** What was looked for. */
  readonly text: string
  /** What follows the last of them. */
  readonly children: ComponentChildren
}

/** Found tickets, those of an order together, each with a button that admits it. */
export function FoundOrders({ orders, text, children }: Props) {
  return (
    <div class={style.orders}>
      <ul>
        {orders.map((order) => (
          <FoundOrderItem key={order.order} order={order} text={text} />
        ))}
      </ul>
      {children}
    </div>
  )
}

function FoundOrderItem({ order, text }: { readonly order: FoundOrder; readonly text: string }) {
  const { desk, voice, actions } = useApp()
  const exit = directionOf(desk.state.value) === 'exit'
  const all = expectedTickets(order)
  return (
    <li class={style.order}>
      {order.tickets.length > 1 && (
        <header>
          <span>{voice.t('search.order', { order: order.order, count: order.tickets.length })}</span>
          {all.length > 1 && (
            <Button icon="check" onPress={() => actions.admit(all.map((ticket) => ticket.position))}>
              {voice.t(exit ? 'search.exit-all' : 'search.admit-all', { count: all.length })}
            </Button>
          )}
        </header>
      )}
      <ul>
        {order.tickets.map((ticket) => (
          <Row key={ticket.position.id} ticket={ticket} text={text} />
        ))}
      </ul>
    </li>
  )
}

function Row({ ticket, text }: { readonly ticket: FoundTicket; readonly text: string }) {
  const { desk, voice, actions } = useApp()
  const { t, language } = voice
  const { position } = ticket
  const exit = directionOf(desk.state.value) === 'exit'
  const order = `${position.order}-${position.positionid}`
  const name = position.attendee_name ?? t('ticket.order', { order })
  const details = [productOf(ticket, language), position.seat?.name ?? '', order].filter((one) => one !== '')
  // What is not in sight anyway is shown where somebody is found by it.
  const inSight = [name, order, productOf(ticket, language)]
  const hidden = hiddenHit(inSight, [position.attendee_email, position.company], text)
  const reason = hidden || (isHitIn(inSight, text) ? '' : t('search.by-order'))
  const label = t(exit ? 'search.exit' : 'search.admit')
  return (
    <li class={style.ticket} data-payment={ticket.payment} data-presence={ticket.presence.where}>
      <button
        type="button"
        class={style.who}
        data-guest={position.id}
        title={t('guest.open')}
        onClick={() => {
          lastSearch.guest.value = position.id
          actions.openGuest(position.id)
        }}
      >
        <strong>
          <bdi>
            <Marked text={name} sought={text} />
          </bdi>
          <Icon name="person" />
        </strong>
        <span>
          {details.map((detail, index) => (
            <Fragment key={detail}>
              {index > 0 && ' · '}
              <bdi>
                <Marked text={detail} sought={text} />
              </bdi>
            </Fragment>
          ))}
        </span>
        {reason && (
          <span>
            <Marked text={reason} sought={text} />
          </span>
        )}
      </button>
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
          onPress={() => actions.admit([position])}
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

/** A text in which the words are marked by which it was found. */
function Marked({ text, sought }: { readonly text: string; readonly sought: string }) {
  return (
    <>
      {markedWords(text, sought).map(({ word, isHit }, index) => (
        <Fragment key={`${index}-${word}`}>{isHit ? <mark>{word}</mark> : word}</Fragment>
      ))}
    </>
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
