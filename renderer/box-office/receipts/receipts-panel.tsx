import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type JournalReceipt, openReceiptsApi } from '../../api/receipts-api.ts'
import { Button } from '../../parts/button.tsx'
import { useApp } from '../../parts/context.ts'
import { LabelledField } from '../../parts/field.tsx'
import { PageFrame } from '../../parts/page.tsx'
import { formatMoment } from '../../text/format.ts'
import { useTill } from '../context.ts'
import { isSilent } from '../payment/till-sale.ts'
import { ReceiptSheet } from './receipt-sheet.tsx'
import style from './receipts-panel.module.css'

const api = openReceiptsApi()

/** The receipts of this till, the newest first: each to be looked at, printed, mailed and saved. */
export function ReceiptsPanel() {
  const { till, state, t } = useTill()
  const search = useSignal(state.receipts ?? '')
  const { found, trouble } = useJournal(search.value)
  const chosen = useSignal<number | null>(null)
  const shown = found?.find(({ id }) => id === chosen.value) ?? found?.[0]
  return (
    <PageFrame
      label={t('till.receipts')}
      title={t('till.receipts')}
      aside={
        <Button icon="back" onPress={() => till.send({ type: 'at-receipts', search: null })}>
          {t('back')}
        </Button>
      }
    >
      <div class={style.receipts}>
        <search class={style.journal} aria-label={t('till.receipts.search')}>
          <LabelledField id="receipt-search" label={t('till.receipts.search')} text={search} />
          <p role="status">{trouble || (found?.length === 0 ? t('till.receipts.none') : '')}</p>
          <ul>
            {found?.map((one) => (
              <li key={one.id}>
                <Row
                  receipt={one}
                  isShown={one.id === shown?.id}
                  onPress={() => {
                    chosen.value = one.id
                  }}
                />
              </li>
            ))}
          </ul>
        </search>
        {shown && <ReceiptSheet key={shown.id} receipt={shown} />}
      </div>
    </PageFrame>
  )
}

/** What is found for a search, asked for again whenever it changes. */
function useJournal(search: string) {
  const { t } = useTill()
  const { desk } = useApp()
  const place = desk.state.value.station?.settings
  const found = useSignal<readonly JournalReceipt[] | null>(null)
  const trouble = useSignal('')
  const asked = useRef(search)
  asked.current = search
  useEffect(() => {
    if (!place) return
    void api.list(place, search).then((answer) => {
      if (asked.current !== search) return
      if (answer.ok) found.value = answer.value.results
      const detail = answer.ok || !isSilent(answer.problem) ? '' : t('till.not-searched')
      trouble.value = answer.ok ? '' : detail || answer.problem.detail
    })
  }, [search])
  return { found: found.value, trouble: trouble.value }
}

interface RowProps {
  readonly receipt: JournalReceipt
  readonly isShown: boolean
  readonly onPress: () => void
}

function Row({ receipt, isShown, onPress }: RowProps) {
  const { t, amount } = useTill()
  const { voice } = useApp()
  const { number, site, ended, order, type, total } = receipt
  return (
    <button
      type="button"
      class={style.row}
      aria-pressed={isShown}
      data-receipt={`${site}-${number}`}
      onClick={onPress}
    >
      <strong>
        <bdi dir="ltr">
          {site}-{number}
        </bdi>
      </strong>
      <span>{formatMoment(ended, new Date().toISOString(), voice.timeZone, voice.language)}</span>
      <span>{order ?? t(`till.receipt.${type}`)}</span>
      <b>{amount(total)}</b>
    </button>
  )
}
