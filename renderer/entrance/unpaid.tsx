import { useSignal } from '@preact/signals'
import type { OwedMoney } from '../../schema/bodies/scan-result.ts'
import { openSalesApi } from '../api/sales-api.ts'
import { isSilent } from '../box-office/payment/till-sale.ts'
import { Button } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import type { Entry } from '../scanning/entries.ts'
import { headline, nextStep, what, who } from '../scanning/wording.ts'
import { formatMoney } from '../text/format.ts'
import { GuestButton } from './guest/guest-button.tsx'
import { GuestName, Headline, NextStep, ProductTitle, ResultLayout } from './result-layout.tsx'
import style from './unpaid.module.css'

const api = openSalesApi()

/** How money is taken at the entrance itself; a card only where no terminal is asked for it by the till. */
const ways = ['boxoffice', 'cardterminal'] as const
type Way = (typeof ways)[number]
const waysBeside = (hasTerminal: boolean): readonly Way[] => (hasTerminal ? ['boxoffice'] : ways)

/** An unpaid ticket that can be paid here, or that somebody may admit all the same. */
export function Unpaid({ entry }: { readonly entry: Entry }) {
  const { desk, voice, actions } = useApp()
  const { t } = voice
  const settings = desk.state.value.station?.settings
  const owed = entry.result?.owed ?? null
  const money = useMoney(entry, owed)
  const written = owed && formatMoney(owed.amount, owed.currency, voice.language)
  return (
    <ResultLayout
      look="question"
      reason="unpaid"
      shape="unpaid"
      buttons={
        <>
          {written &&
            waysBeside(!!settings?.terminal).map((way) => (
              <Button
                key={way}
                kind="primary"
                disabled={money.busy.value || (money.asked.value ?? way) !== way}
                onPress={() => void money.take(way)}
              >
                {t(`unpaid.take.${way}`, { amount: written })}
              </Button>
            ))}
          {written && (
            <Button
              icon="till"
              disabled={money.busy.value || money.asked.value !== null}
              onPress={() => void actions.payAtTill(entry)}
            >
              {t('unpaid.other-ways')}
            </Button>
          )}
          {entry.result?.can_ignore_unpaid && (
            <Button kind={owed ? 'plain' : 'primary'} icon="check" onPress={() => actions.waive(entry)}>
              {t('unpaid.admit')}
            </Button>
          )}
          <Button icon="close" onPress={actions.close}>
            {t('unpaid.refuse')}
          </Button>
          <GuestButton entry={entry} />
        </>
      }
    >
      <Headline>{headline(entry, voice)}</Headline>
      {written && (
        <p class={style.owed} data-owed={owed?.amount}>
          {t('unpaid.owed', { amount: written })}
        </p>
      )}
      <GuestName name={who(entry, voice)} />
      <ProductTitle>{what(entry, voice)}</ProductTitle>
      {money.trouble.value === '' ? (
        <NextStep>{nextStep(entry, voice)}</NextStep>
      ) : (
        <p class={style.trouble} role="alert">
          {money.trouble}
        </p>
      )}
    </ResultLayout>
  )
}

/** Takes the money for the order of a ticket once, and has the same scan judged again. */
function useMoney(entry: Entry, owed: OwedMoney | null) {
  const { desk, voice, actions } = useApp()
  const busy = useSignal(false)
  const trouble = useSignal('')
  /** In which way it was asked without an answer: only that may be asked again, with the same key. */
  const asked = useSignal<Way | null>(null)
  const refusals = useSignal(0)

  async function take(way: Way): Promise<void> {
    const place = desk.state.value.station?.settings
    const order = entry.result?.position?.order
    if (!place || !order || !owed || busy.value) return
    busy.value = true
    // What is owed is part of the key: what is missing after a part was paid is another payment.
    const key = `${entry.key}-${owed.amount}-${refusals.value}`
    const answer = await api.payOrder(place, order, { amount: owed.amount, provider: way, info: {} }, key)
    busy.value = false
    if (answer.ok) return actions.retry(entry)
    const isOpen = isSilent(answer.problem)
    asked.value = isOpen ? way : null
    if (!isOpen) refusals.value += 1
    trouble.value = isOpen ? voice.t('unpaid.not-said') : answer.problem.detail
  }

  return { busy, trouble, asked, take }
}
