import { useSignal } from '@preact/signals'
import { openPrintsApi } from '../../api/prints-api.ts'
import {
  type JournalReceipt,
  openReceiptsApi,
  type ReceiptNote,
  type ReceiptWay,
  receiptAddress,
} from '../../api/receipts-api.ts'
import { Button, Buttons } from '../../parts/button.tsx'
import { useApp } from '../../parts/context.ts'
import { LabelledField } from '../../parts/field.tsx'
import { useTill } from '../context.ts'
import { isSilent } from '../payment/till-sale.ts'
import style from './receipt-sheet.module.css'

const api = openReceiptsApi()
const prints = openPrintsApi()

/** A receipt as it is printed, and the ways in which it is given out; each time but the first it is a copy. */
export function ReceiptSheet({ receipt }: { readonly receipt: JournalReceipt }) {
  const { till, t, language } = useTill()
  const { desk } = useApp()
  const place = desk.state.value.station?.settings
  const note = useSignal<ReceiptNote | null>(null)
  const printing = useSignal(false)
  const email = useSignal('')
  const { said, give } = useGiving(receipt.id)
  if (!place) return null
  const addressOf = (format: 'picture' | 'pdf', at: ReceiptNote | null) =>
    receiptAddress(place, { receipt: receipt.id, format, locale: language, note: at })
  const atPrinter = async () => {
    const wanted = { document: 'receipt', subject: receipt.id, locale: language } as const
    const answer = await till.act('sell', (_, attempt) => prints.print(wanted, attempt))
    if (!answer.ok) said.value = answer.problem.detail || t('till.not-said')
    else said.value = answer.value.copy === 0 ? '' : t('till.receipt.copy', { number: answer.value.copy })
  }
  const onPage = async () => {
    const given = await give({ way: 'paper' })
    if (!given) return
    printing.value = true
    note.value = given
  }
  const save = async () => {
    const given = await give({ way: 'paper' })
    if (given) download(addressOf('pdf', given))
  }
  return (
    <div class={style.sheet} data-copy={note.value?.copy ?? ''}>
      <div class={style.acts}>
        <p role="status">{said}</p>
        <Buttons>
          <Button
            kind="primary"
            onPress={() => void ((place.printers ?? []).length > 0 ? atPrinter() : onPage())}
          >
            {t('till.receipt.print')}
          </Button>
          <Button icon="save" onPress={() => void save()}>
            {t('till.receipt.pdf')}
          </Button>
        </Buttons>
        <LabelledField id="receipt-email" label={t('till.receipt.email')} text={email} type="email" />
        <Button
          disabled={email.value.trim() === ''}
          onPress={() => void give({ way: 'mail', email: email.value.trim() })}
        >
          {t('till.receipt.mail')}
        </Button>
      </div>
      <div class={style.paper}>
        <img
          alt={t('till.receipt.picture', { number: `${receipt.site}-${receipt.number}` })}
          src={addressOf('picture', note.value)}
          onLoad={() => {
            // The picture says by now which copy it is.
            if (printing.value) window.print()
            printing.value = false
          }}
        />
      </div>
    </div>
  )
}

/** Has the server note that a receipt is given out, and says what became of it. */
function useGiving(receipt: number) {
  const { till, t, language } = useTill()
  const said = useSignal('')
  const busy = useSignal(false)
  async function give(way: ReceiptWay): Promise<ReceiptNote | null> {
    if (busy.value) return null
    busy.value = true
    const answer = await till.act('sell', (place, attempt) =>
      api.print(place, receipt, { ...way, locale: language }, attempt),
    )
    busy.value = false
    if (!answer.ok) {
      said.value = isSilent(answer.problem) ? t('till.not-said') : answer.problem.detail
      return null
    }
    const { copy } = answer.value
    const done = way.way === 'mail' ? t('till.receipt.mailed', { email: way.email }) : ''
    said.value = [done, copy === 0 ? '' : t('till.receipt.copy', { number: copy })].filter(Boolean).join(' ')
    return answer.value
  }
  return { said, give }
}

function download(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = 'receipt.pdf'
  link.click()
}
