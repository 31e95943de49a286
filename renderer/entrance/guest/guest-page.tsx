import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { GuestOrder } from '../../../schema/bodies/guests.ts'
import { askGuest } from '../../api/guests-api.ts'
import { Button } from '../../parts/button.tsx'
import { useApp } from '../../parts/context.ts'
import { ObjectionText } from '../../parts/objection.tsx'
import { printsHere } from '../../printing/prints-here.ts'
import { formatMoney } from '../../text/format.ts'
import style from './guest-page.module.css'
import { StatusMark } from './status-mark.tsx'
import { TicketCard } from './ticket-card.tsx'

/** A guest with every ticket of their order and all that happened to it, and what can be done about it. */
export function GuestPage({ position }: { readonly position: number }) {
  const { voice, actions } = useApp()
  const { t } = voice
  const { order, objection, look } = useGuest(position)
  const title = useRef<HTMLHeadingElement>(null)
  const opened = order?.tickets.find(({ id }) => id === position)
  const name = opened && (opened.attendee_name ?? t('ticket.order', { order: opened.order }))

  // Whoever works with the keyboard begins above, and hears whom the page is about.
  useLayoutEffect(() => title.current?.focus({ preventScroll: true }), [name])

  return (
    <section class={style.page} aria-label={t('guest.open')} data-guest={position}>
      <header>
        <Button icon="back" onPress={actions.close}>
          {t('back')}
        </Button>
        <div class={style.title}>
          <h1 ref={title} tabIndex={-1}>
            {name ?? t('guest.open')}
          </h1>
          {order && <OrderLine order={order} />}
        </div>
      </header>
      <div class={style.body}>
        {objection !== '' && <ObjectionText>{objection}</ObjectionText>}
        {order && opened && <TicketCard ticket={opened} isFirst orderEmail={order.email} onChanged={look} />}
        {order?.tickets
          .filter((ticket) => ticket !== opened)
          .map((ticket) => (
            <TicketCard key={ticket.id} ticket={ticket} orderEmail={order.email} onChanged={look} />
          ))}
      </div>
    </section>
  )
}

function OrderLine({ order }: { readonly order: GuestOrder }) {
  const { t, language } = useApp().voice
  const { code, tickets, owed } = order
  return (
    <>
      <p class={style.order}>
        <span>{t('ticket.order', { order: code })}</span>
        <span>{t('search.found', { count: tickets.length })}</span>
        <OrderMark order={order} />
        {owed && (
          <StatusMark kind="warns">
            {t('unpaid.owed', { amount: formatMoney(owed.amount, owed.currency, language) })}
          </StatusMark>
        )}
      </p>
      {(order.email || order.phone) && (
        <p class={style.order}>
          {order.email && <bdi>{order.email}</bdi>}
          {order.phone && <bdi>{order.phone}</bdi>}
        </p>
      )}
    </>
  )
}

function OrderMark({ order: { status, require_approval } }: { readonly order: GuestOrder }) {
  const { t } = useApp().voice
  if (require_approval && status === 'n')
    return <StatusMark kind="warns">{t('till.awaits-approval')}</StatusMark>
  switch (status) {
    case 'p':
      return <StatusMark kind="plain">{t('payment.paid')}</StatusMark>
    case 'c':
      return <StatusMark kind="refuses">{t('payment.canceled')}</StatusMark>
    case 'e':
      return <StatusMark kind="warns">{t('payment.expired')}</StatusMark>
    default:
      return <StatusMark kind="warns">{t('payment.unpaid')}</StatusMark>
  }
}

/** The order, asked for again whenever something was scanned or printed. */
function useGuest(position: number) {
  const { desk, voice } = useApp()
  const order = useSignal<GuestOrder | null>(null)
  const objection = useSignal('')
  const asked = useRef(0)
  const { station, entries } = desk.state.value
  const { t } = voice

  const look = async () => {
    asked.current += 1
    const own = asked.current
    const answer = await askGuest(position)
    // What was asked later says more.
    if (own !== asked.current) return
    if (answer.ok) order.value = answer.value
    objection.value = answer.ok ? '' : answer.problem.detail || t('guest.failed')
  }
  useEffect(() => {
    void look()
    return () => {
      asked.current += 1
    }
  }, [position, station?.counts, station?.settings, entries, printsHere.jobs.value])

  const shown = order.value?.tickets.some(({ id }) => id === position) ? order.value : null
  return { order: shown, objection: objection.value, look }
}
