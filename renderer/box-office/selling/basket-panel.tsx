import { Button, Buttons } from '../../parts/button.tsx'
import { tillShortcuts } from '../../scanning/shortcuts.ts'
import { beside } from '../../text/direction.ts'
import { count } from '../../text/format.ts'
import { hundredthsOf } from '../amounts.ts'
import { useTill } from '../context.ts'
import { objectionNow, pricedNow } from '../till-state.ts'
import { type BasketLine, ticketCount } from './basket.ts'
import style from './basket-panel.module.css'
import { lineWords } from './line-words.ts'
import { ParkButton, ParkedList, ParkingForm } from './parked-baskets.tsx'
import { askedPages } from './sale-details.ts'
import { Stepper } from './stepper.tsx'

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
      {lines.length > 0 && !payment && (state.parking ? <ParkingForm /> : <Total />)}
      {lines.length === 0 && !payment && <ParkedList />}
      {lines.length > 0 && !payment && !state.parking && (
        <Buttons class={style.tools ?? ''}>
          <ParkButton />
          {askedPages(state.catalogue, lines).length > 0 && (
            <Button pressed={state.asking !== null} onPress={() => till.send({ type: 'asking', page: 0 })}>
              {t('till.details')}
            </Button>
          )}
          <Button kind="quiet" icon="close" onPress={() => till.send({ type: 'emptied' })}>
            {t('till.clear')}
          </Button>
        </Buttons>
      )}
    </aside>
  )
}

function Line({ line }: { readonly line: BasketLine }) {
  const { till, state, t, language, amount } = useTill()
  const objection = objectionNow(state)?.lines[line.key]
  const price = pricedNow(state)?.lines[line.key]
  const { name, details } = lineWords(line, state.catalogue, { t, language })
  const names = line.details?.flatMap(({ attendee_name }) => attendee_name || []) ?? []
  return (
    <li class={style.line}>
      <div>
        <strong>{name}</strong>
        {names.length > 0 && <small>{beside(names, ', ', language)}</small>}
        {details.map((detail) => (
          <small key={detail}>{detail}</small>
        ))}
        {line.voucher && <small>{t('till.with-voucher', { code: line.voucher })}</small>}
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
