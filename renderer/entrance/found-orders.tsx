import { Button } from '../parts/button.tsx'
import { useAround } from '../parts/context.ts'
import { directionOf } from '../scanning/desk-state.ts'
import { moment } from '../text/format.ts'
import { localized } from '../text/translate.ts'
import style from './found-orders.module.css'
import { type Party, type Ticket, together } from './found-tickets.ts'

/** Found tickets, those of an order together, each with a button that admits it. */
export function Parties({ parties }: { readonly parties: readonly Party[] }) {
  return (
    <ul class={style.parties}>
      {parties.map((party) => (
        <OneParty key={party.order} party={party} />
      ))}
    </ul>
  )
}

function OneParty({ party }: { readonly party: Party }) {
  const { desk, voice, actions } = useAround()
  const exit = directionOf(desk.state.value) === 'exit'
  const all = together(party)
  return (
    <li class={style.party}>
      {party.tickets.length > 1 && (
        <header>
          <span>{voice.t('search.order', { order: party.order, count: party.tickets.length })}</span>
          {all.length > 1 && (
            <Button icon="check" onPress={() => actions.admit(all.map((ticket) => ticket.position.secret))}>
              {voice.t(exit ? 'search.exit-all' : 'search.admit-all', { count: all.length })}
            </Button>
          )}
        </header>
      )}
      <ul>
        {party.tickets.map((ticket) => (
          <Row key={ticket.position.id} ticket={ticket} />
        ))}
      </ul>
    </li>
  )
}

function Row({ ticket }: { readonly ticket: Ticket }) {
  const { desk, voice, actions } = useAround()
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
    </li>
  )
}

function productOf({ position }: Ticket, language: string): string {
  const item = typeof position.item === 'object' ? localized(position.item.name, language) : ''
  const variation =
    typeof position.variation === 'object' && position.variation
      ? localized(position.variation.value, language)
      : ''
  return [item, variation].filter(Boolean).join(' – ')
}

function since({ presence }: Ticket, { language, timeZone }: ReturnType<typeof useAround>['voice']): string {
  if (presence.where === 'out') return ''
  return moment(presence.since, new Date().toISOString(), timeZone, language)
}
