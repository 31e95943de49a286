import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { CountedCash } from '../../schema/bodies/drawers.ts'
import type { TillDrawer } from '../../schema/bodies/sale-catalogue.ts'
import type { StaffRight } from '../../schema/staff-rights.ts'
import type { ApiAnswer } from '../api/requests.ts'
import { type DrawerClosing, type DrawerReport, type KeyedAct, openDrawerApi } from '../api/sales-api.ts'
import type { SalesPlace } from '../api/sales-place.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { LabelledField } from '../parts/field.tsx'
import { formatMoment } from '../text/format.ts'
import { writtenAmount } from './amounts.ts'
import { askUntilSaid } from './ask-again.ts'
import { useTill } from './context.ts'
import { countedPieces, type TypedPieces } from './drawer/cash-count.ts'
import { PieceFields } from './drawer/piece-fields.tsx'
import style from './drawer-panel.module.css'
import { isSilent } from './till-sale.ts'

const api = openDrawerApi()

/** What is done with a drawer, once for its key. */
type Act = (place: SalesPlace, attempt: KeyedAct) => Promise<ApiAnswer<unknown>>

/** The cash at this till: opened with change, counted at the end. */
export function DrawerPanel() {
  const { till, state, t, amount } = useTill()
  const { desk } = useApp()
  const place = desk.state.value.station?.settings
  const trouble = useSignal('')
  const closed = useSignal<DrawerClosing | null>(null)
  const busy = useSignal(false)
  if (!place || !state.catalogue) return null
  const { drawer } = state.catalogue

  async function act(right: StaffRight, work: Act): Promise<void> {
    if (!place || busy.value) return
    busy.value = true
    const key = till.newKey()
    const answer = await till.staff.permitted(right, (stepUp) =>
      askUntilSaid(() => work(place, { key, stepUp })),
    )
    busy.value = false
    trouble.value = answer.ok ? '' : isSilent(answer.problem) ? t('till.not-said') : answer.problem.detail
    await till.refresh()
  }

  return (
    <section class={style.drawer} aria-label={t('till.drawer')} data-drawer={drawer ? 'open' : 'none'}>
      <header>
        <h1>{t('till.drawer')}</h1>
        <Button icon="back" onPress={() => till.send({ type: 'at-drawer', open: false })}>
          {t('back')}
        </Button>
      </header>
      {trouble.value !== '' && (
        <p class={style.trouble} role="alert">
          {trouble}
        </p>
      )}
      {closed.value && !drawer && (
        <p class={style.closed} role="status" data-difference={closed.value.difference}>
          {t('till.closed', {
            number: closed.value.number,
            counted: amount(closed.value.counted),
            expected: amount(closed.value.expected),
            difference: amount(closed.value.difference),
          })}
        </p>
      )}
      {drawer ? (
        <Open
          drawer={drawer}
          place={place}
          act={act}
          onClosed={(closing) => {
            closed.value = closing
          }}
        />
      ) : (
        <Opening act={act} />
      )}
    </section>
  )
}

interface ActProps {
  readonly act: (right: StaffRight, work: Act) => Promise<void>
}

function Opening({ act }: ActProps) {
  const { t } = useTill()
  const float = useSignal('')
  const written = writtenAmount(float.value)
  return (
    <div class={style.form}>
      <p>{t('till.no-drawer')}</p>
      <LabelledField id="drawer-float" label={t('till.float')} text={float} inputMode="decimal" />
      <Button
        kind="primary"
        disabled={written === null}
        onPress={() =>
          written && void act('close_drawer', (place, attempt) => api.open(place, written, attempt))
        }
      >
        {t('till.open-drawer')}
      </Button>
    </div>
  )
}

interface OpenProps extends ActProps {
  readonly drawer: TillDrawer
  readonly place: SalesPlace
  readonly onClosed: (closing: DrawerClosing) => void
}

function Open({ drawer, place, act, onClosed }: OpenProps) {
  const { state, t, amount } = useTill()
  const { voice } = useApp()
  const report = useSignal<DrawerReport | null>(null)
  useEffect(() => {
    void api.report(place, drawer.id).then((answer) => {
      if (answer.ok) report.value = answer.value
    })
  }, [state.catalogue])
  const { timeZone, language } = voice
  const when = formatMoment(drawer.opened, new Date().toISOString(), timeZone, language)
  return (
    <>
      <p>{t('till.drawer-since', { name: drawer.name, when })}</p>
      {report.value && (
        <dl class={style.report}>
          {(
            [
              ['till.sales', amount(report.value.sales)],
              ['till.refunds', amount(report.value.refunds)],
              ['till.receipts', String(report.value.receipts)],
              ['till.expected', amount(report.value.expected_cash)],
            ] as const
          ).map(([key, text]) => (
            <div key={key}>
              <dt>{t(key)}</dt>
              <dd data-figure={key}>{text}</dd>
            </div>
          ))}
        </dl>
      )}
      <CashMovement drawer={drawer} act={act} />
      <Closing drawer={drawer} act={act} onClosed={onClosed} />
    </>
  )
}

function CashMovement({ drawer, act }: ActProps & Pick<OpenProps, 'drawer'>) {
  const { t } = useTill()
  const sum = useSignal('')
  const reason = useSignal('')
  const written = writtenAmount(sum.value)
  const isReady = written !== null && reason.value.trim() !== ''
  const move = (sign: '' | '-') => {
    const movement = { amount: `${sign}${written}`, reason: reason.value.trim() }
    sum.value = ''
    reason.value = ''
    void act('move_cash', (place, attempt) => api.moveCash(place, drawer.id, movement, attempt))
  }
  return (
    <div class={style.form}>
      <LabelledField id="cash-amount" label={t('till.amount')} text={sum} inputMode="decimal" />
      <LabelledField id="cash-reason" label={t('till.reason')} text={reason} maxLength={255} />
      <Buttons>
        <Button disabled={!isReady} onPress={() => move('')}>
          {t('till.cash-in')}
        </Button>
        <Button disabled={!isReady} onPress={() => move('-')}>
          {t('till.cash-out')}
        </Button>
      </Buttons>
    </div>
  )
}

function Closing({ drawer, act, onClosed }: Omit<OpenProps, 'place'>) {
  const { t } = useTill()
  const counted = useSignal('')
  const reason = useSignal('')
  const pieces = useSignal<TypedPieces>({})
  const byPieces = useSignal(false)
  const count = byPieces.value ? countedAs(pieces.value) : countedInAll(counted.value)
  const close = () =>
    act('close_drawer', async (place, attempt) => {
      const said = { ...count, reason: reason.value.trim() }
      const answer = await api.close(place, drawer.id, said, attempt)
      if (answer.ok) onClosed(answer.value)
      return answer
    })
  return (
    <div class={style.form}>
      {byPieces.value ? (
        <PieceFields pieces={pieces} />
      ) : (
        <LabelledField id="cash-counted" label={t('till.counted')} text={counted} inputMode="decimal" />
      )}
      <LabelledField id="close-reason" label={t('till.reason')} text={reason} maxLength={255} />
      <Buttons>
        <Button kind="primary" disabled={count === null} onPress={() => void close()}>
          {t('till.close-drawer')}
        </Button>
        <Button
          pressed={byPieces.value}
          onPress={() => {
            byPieces.value = !byPieces.value
          }}
        >
          {t('till.notes-and-coins')}
        </Button>
      </Buttons>
    </div>
  )
}

/** What was counted, as it is sent: by notes and coins, whose sum the station works out. */
function countedAs(pieces: TypedPieces): Pick<CountedCash, 'denominations'> | null {
  const denominations = countedPieces(pieces)
  return denominations && { denominations }
}

function countedInAll(text: string): Pick<CountedCash, 'counted'> | null {
  const counted = writtenAmount(text)
  return counted === null ? null : { counted }
}
