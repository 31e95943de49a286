import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { TillDrawer } from '../../../schema/bodies/sale-catalogue.ts'
import { type DrawerClosing, type DrawerReport, reportAddress } from '../../api/drawer-api.ts'
import type { ApiAnswer, Problem } from '../../api/requests.ts'
import { Button, Buttons, Download } from '../../parts/button.tsx'
import { useApp } from '../../parts/context.ts'
import { LabelledField } from '../../parts/field.tsx'
import { PageFrame } from '../../parts/page.tsx'
import { writtenAmount } from '../amounts.ts'
import { useTill } from '../context.ts'
import { isSilent } from '../payment/till-sale.ts'
import { ClosingForm } from './closing-form.tsx'
import { DrawerForm } from './drawer-form.tsx'
import style from './drawer-panel.module.css'
import { type DrawerAct, OpeningForm, useDrawerTime } from './opening-form.tsx'
import { TillsAtDrawer } from './tills-at-drawer.tsx'

/** The cash at this till: opened with change, counted at the end. */
export function DrawerPanel() {
  const { till, state, t, amount } = useTill()
  const { trouble, act } = useDrawerActs()
  const closed = useSignal<DrawerClosing | null>(null)
  // Other tills open and join drawers without asking this one.
  useEffect(() => void till.refresh(), [till])
  if (!state.catalogue) return null
  const { drawer } = state.catalogue
  const back = (
    <Buttons>
      <Button onPress={() => till.send({ type: 'at-receipts', search: '' })}>{t('till.receipts')}</Button>
      <Button icon="back" onPress={() => till.send({ type: 'at-drawer', open: false })}>
        {t('back')}
      </Button>
    </Buttons>
  )
  return (
    <PageFrame
      label={t('till.drawer')}
      title={t('till.drawer')}
      aside={back}
      data-drawer={drawer ? 'open' : 'none'}
    >
      <div class={style.drawer}>
        {trouble.value !== '' && (
          <p class={style.trouble} role="alert">
            {trouble}
          </p>
        )}
        {closed.value && !drawer && (
          <>
            <p class={style.closed} role="status" data-difference={closed.value.difference}>
              {t('till.closed', {
                number: closed.value.number,
                counted: amount(closed.value.counted),
                expected: amount(closed.value.expected),
                difference: amount(closed.value.difference),
              })}
            </p>
            <Buttons>
              <ReportFile of={{ closing: closed.value.id }}>{t('till.report.z')}</ReportFile>
            </Buttons>
          </>
        )}
        {drawer ? (
          <Open
            drawer={drawer}
            act={act}
            onClosed={(closing) => {
              closed.value = closing
            }}
          />
        ) : (
          <OpeningForm act={act} />
        )}
      </div>
    </PageFrame>
  )
}

/** Does what is done with a drawer, one thing after the other, and says why something was not done. */
function useDrawerActs() {
  const { till, t } = useTill()
  const trouble = useSignal('')
  const busy = useSignal(false)
  const refusalOf = ({ reason, body, detail }: Problem): string => {
    const name = body && 'till' in body ? String(body.till) : ''
    return reason === 'open_basket' || reason === 'open_card' ? t(`till.close.${reason}`, { name }) : detail
  }
  const act: DrawerAct = async (right, work) => {
    if (busy.value) return
    busy.value = true
    const answer = await till.act(right, work)
    busy.value = false
    trouble.value = answer.ok ? '' : isSilent(answer.problem) ? t('till.not-said') : refusalOf(answer.problem)
  }
  return { trouble, act }
}

interface ActProps {
  readonly act: DrawerAct
}

interface OpenProps extends ActProps {
  readonly drawer: TillDrawer
  readonly onClosed: (closing: DrawerClosing) => void
}

function Open({ drawer, act, onClosed }: OpenProps) {
  const { till, state, t } = useTill()
  const when = useDrawerTime(drawer)
  return (
    <>
      <p>{t('till.drawer-since', { name: drawer.name, when })}</p>
      <TillsAtDrawer drawer={drawer} />
      <Report drawer={drawer} />
      <Buttons>
        <ReportFile of={{ drawer: drawer.id }}>{t('till.report.x')}</ReportFile>
      </Buttons>
      <CashMovement drawer={drawer} act={act} />
      {state.lines.length > 0 ? (
        <p role="status">{t('till.close.own-basket')}</p>
      ) : (
        <ClosingForm
          onCounted={(count) =>
            act('close_drawer', async (place, attempt) => {
              const answer = await till.drawers.close(place, drawer.id, count, attempt)
              if (answer.ok) onClosed(answer.value)
              return answer
            })
          }
        />
      )}
    </>
  )
}

interface ReportFileProps {
  readonly of: Parameters<typeof reportAddress>[1]
  readonly children: string
}

/** Saves a report as it is printed. */
function ReportFile({ of, children }: ReportFileProps) {
  const { language } = useTill()
  const { desk } = useApp()
  const place = desk.state.value.station?.settings
  if (!place) return null
  return (
    <Download icon="save" href={reportAddress(place, of, language)} onPress={() => undefined}>
      {children}
    </Download>
  )
}

/** What went through the drawer so far, and who has sold what; nothing of it where it is counted blind. */
function Report({ drawer }: Pick<OpenProps, 'drawer'>) {
  const { till, state, t, amount } = useTill()
  const { desk } = useApp()
  const place = desk.state.value.station?.settings
  const staff = till.staff.state.value.session?.staff?.id
  const report = useSignal<DrawerReport | null>(null)
  useEffect(() => {
    if (!place) return
    void till.drawers.report(place, drawer.id).then((answer: ApiAnswer<DrawerReport>) => {
      if (answer.ok) report.value = answer.value
    })
  }, [state.catalogue, staff])
  const figures = report.value
  if (!figures) return null
  const receipts = ['till.receipts', String(figures.receipts)] as const
  const rows = figures.blind
    ? [receipts]
    : ([
        ['till.sales', amount(figures.sales)],
        ['till.refunds', amount(figures.refunds)],
        receipts,
        ['till.expected', amount(figures.expected_cash)],
      ] as const)
  const cashiers = figures.blind ? [] : Object.entries(figures.by_cashier)
  return (
    <dl class={style.report} data-blind={figures.blind}>
      {rows.map(([key, text]) => (
        <div key={key}>
          <dt>{t(key)}</dt>
          <dd data-figure={key}>{text}</dd>
        </div>
      ))}
      {figures.blind && (
        <div>
          <dt>{t('till.expected')}</dt>
          <dd>{t('till.blind')}</dd>
        </div>
      )}
      {cashiers.length > 1 &&
        cashiers.map(([name, sum]) => (
          <div key={name}>
            <dt>{t('till.by-cashier', { name })}</dt>
            <dd data-cashier={name}>{amount(sum)}</dd>
          </div>
        ))}
    </dl>
  )
}

function CashMovement({ drawer, act }: ActProps & Pick<OpenProps, 'drawer'>) {
  const { till, t } = useTill()
  const sum = useSignal('')
  const reason = useSignal('')
  const written = writtenAmount(sum.value)
  const { desk } = useApp()
  const hasPrinter = (desk.state.value.station?.settings?.printers ?? []).some((one) => one.drawer)
  const isReasoned = reason.value.trim() !== ''
  const isReady = written !== null && isReasoned
  const move = (sign: '' | '-') => {
    const movement = { amount: `${sign}${written}`, reason: reason.value.trim() }
    sum.value = ''
    reason.value = ''
    void act('move_cash', (place, attempt) => till.drawers.moveCash(place, drawer.id, movement, attempt))
  }
  const openAnyway = () => {
    const why = reason.value.trim()
    reason.value = ''
    void act('open_drawer', (place, attempt) => till.drawers.openWithoutSale(place, drawer.id, why, attempt))
  }
  return (
    <DrawerForm>
      <LabelledField id="cash-amount" label={t('till.amount')} text={sum} inputMode="decimal" />
      <LabelledField id="cash-reason" label={t('till.reason')} text={reason} maxLength={255} />
      <Buttons>
        <Button disabled={!isReady} onPress={() => move('')}>
          {t('till.cash-in')}
        </Button>
        <Button disabled={!isReady} onPress={() => move('-')}>
          {t('till.cash-out')}
        </Button>
        {hasPrinter && (
          <Button disabled={!isReasoned || sum.value.trim() !== ''} onPress={openAnyway}>
            {t('till.no-sale')}
          </Button>
        )}
      </Buttons>
    </DrawerForm>
  )
}
