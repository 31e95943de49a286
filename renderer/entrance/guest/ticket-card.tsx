import { useSignal } from '@preact/signals'
import type { ShownTicket } from '../../../schema/bodies/guests.ts'
import { Button, Buttons } from '../../parts/button.tsx'
import { useApp } from '../../parts/context.ts'
import { inkOn } from '../../parts/ink.ts'
import { PrintButtons } from '../../printing/print-buttons.tsx'
import { directionOf } from '../../scanning/desk-state.ts'
import { beside } from '../../text/direction.ts'
import { formatMoment } from '../../text/format.ts'
import { localized } from '../../text/translate.ts'
import { presenceIn } from './presence.ts'
import { StatusMark } from './status-mark.tsx'
import style from './ticket-card.module.css'
import { TicketHistory } from './ticket-history.tsx'

interface Props {
  readonly ticket: ShownTicket
  /** It is the one that the page was opened with, and is called after. */
  readonly isFirst?: boolean
  /** The e-mail address of the order, which is said there. */
  readonly orderEmail: string | null
  /** Has the page look again. */
  readonly onChanged: () => Promise<void>
}

/** One ticket: what it is for, whether it is good here and now, what can be done with it, and what happened to it. */
export function TicketCard({ ticket, isFirst = false, orderEmail, onChanged }: Props) {
  const { voice } = useApp()
  const { t, language } = voice
  const number = `${ticket.order}-${ticket.positionid}`
  const { item_color: color } = ticket
  return (
    <article class={style.card} data-ticket={number} data-first={isFirst || undefined}>
      <p
        class={style.band}
        data-color={color ?? undefined}
        style={color ? { background: color, color: inkOn(color) } : undefined}
      >
        {productOf(ticket, voice.language)}
      </p>
      <div class={style.about}>
        <div class={style.who}>
          <h2>{isFirst ? number : (ticket.attendee_name ?? t('ticket.order', { order: number }))}</h2>
          <p>
            {beside(
              [
                isFirst ? null : number,
                ticket.seat && t('ticket.seat.is', { seat: ticket.seat.name }),
                ticket.addon_to === null ? null : t('guest.addon-to', { number: ticket.addon_to }),
              ],
              ' · ',
              language,
            )}
          </p>
        </div>
        <Marks ticket={ticket} />
        <Details ticket={ticket} orderEmail={orderEmail} />
        <Acts ticket={ticket} number={number} onChanged={onChanged} />
      </div>
      <TicketHistory ticket={ticket} />
    </article>
  )
}

function productOf(ticket: ShownTicket, language: string): string {
  const names = [ticket.item_name, ticket.variation_name, ticket.subevent_name]
  return beside(
    names.map((part) => localized(part, language)),
    ' · ',
    language,
  )
}

function Marks({ ticket }: { readonly ticket: ShownTicket }) {
  const { desk, voice } = useApp()
  const { t, timeZone, language } = voice
  const { reason, status, reason_explanation: explanation } = ticket.outlook
  const lists = desk.state.value.station?.settings?.lists ?? []
  const presence = presenceIn(
    ticket,
    lists.map(({ id }) => id),
  )
  const isUnpaid = reason === 'unpaid' || reason === 'unapproved'
  return (
    <>
      <p class={style.marks}>
        {status === 'ok' && <StatusMark kind="good">{t('guest.good')}</StatusMark>}
        {status === 'incomplete' && <StatusMark kind="asks">{t('result.question')}</StatusMark>}
        {reason && <StatusMark kind={isUnpaid ? 'warns' : 'refuses'}>{t(`refused.${reason}`)}</StatusMark>}
        {ticket.blocked && reason !== 'blocked' && (
          <StatusMark kind="refuses">{t('payment.blocked')}</StatusMark>
        )}
        {presence && (
          <StatusMark kind={presence.where === 'in' ? 'asks' : 'plain'}>
            {t(`presence.${presence.where}`, {
              when: formatMoment(presence.since, new Date().toISOString(), timeZone, language),
            })}
          </StatusMark>
        )}
      </p>
      {explanation && <p class={style.why}>{explanation}</p>}
    </>
  )
}

function Details({ ticket, orderEmail }: Pick<Props, 'ticket' | 'orderEmail'>) {
  const { t, timeZone, language } = useApp().voice
  const moment = (at: string) => formatMoment(at, new Date().toISOString(), timeZone, language)
  const extras = ticket.addons.map((addon) => {
    const variation = localized(addon.variation_name, language)
    return localized(addon.item_name, language) + (variation ? ` (${variation})` : '')
  })
  const rows = [
    [t('ticket.addons'), beside(extras, ', ', language)],
    [t('till.asked.email'), ticket.email === orderEmail ? null : ticket.email],
    [t('till.asked.company'), ticket.company],
    [t('guest.valid-from'), ticket.valid_from && moment(ticket.valid_from)],
    [t('guest.valid-until'), ticket.valid_until && moment(ticket.valid_until)],
  ].filter(([, value]) => value)
  if (rows.length === 0) return null
  return (
    <dl class={style.details}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

interface ActsProps extends Pick<Props, 'ticket' | 'onChanged'> {
  readonly number: string
}

function Acts({ ticket, number, onChanged }: ActsProps) {
  const { desk, voice, actions } = useApp()
  const { t } = voice
  const undo = useTakingBack(ticket, onChanged)
  const exit = directionOf(desk.state.value) === 'exit'
  const name = [ticket.attendee_name, number].filter(Boolean).join(', ')
  const label = t(exit ? 'search.exit' : 'search.admit')
  const isOver = ticket.canceled || ticket.outlook.reason === 'canceled'
  return (
    <Buttons class={style.acts}>
      {!isOver && (
        <Button
          kind={ticket.outlook.status === 'error' ? 'plain' : 'primary'}
          icon={exit ? 'exit' : 'check'}
          label={`${label}: ${name}`}
          onPress={() => actions.admit([ticket])}
        >
          {label}
        </Button>
      )}
      {ticket.undo !== null && (
        <Button
          icon="undo"
          disabled={undo.busy}
          label={`${t('guest.take-back')}: ${name}`}
          onPress={undo.act}
        >
          {t('guest.take-back')}
        </Button>
      )}
      {!isOver && <PrintButtons position={ticket.id} name={name} />}
    </Buttons>
  )
}

/** Takes the last admission of a ticket back: as the scan among the last ones, or by itself where it is none of them. */
function useTakingBack(ticket: ShownTicket, onChanged: () => Promise<void>) {
  const { desk, api, voice } = useApp()
  const busy = useSignal(false)
  const act = async () => {
    const nonce = ticket.undo
    if (nonce === null || busy.value) return
    busy.value = true
    const entry = desk.state.value.entries.find(({ result }) => result?.nonce === nonce)
    if (entry) await desk.undo(entry)
    else {
      const answer = await api.undo(nonce)
      const text = answer.ok
        ? (ticket.attendee_name ?? voice.t('ticket.order', { order: ticket.order }))
        : answer.problem.detail
      desk.send({ type: 'noticed', kind: answer.ok ? 'undone' : 'undo-failed', text })
    }
    await onChanged()
    busy.value = false
  }
  return { busy: busy.value, act: () => void act() }
}
