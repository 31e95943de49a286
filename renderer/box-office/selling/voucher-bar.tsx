import { useSignal } from '@preact/signals'
import { Button } from '../../parts/button.tsx'
import { SmallField } from '../../parts/field.tsx'
import { count } from '../../text/format.ts'
import { useTill } from '../context.ts'
import { usesOf } from './basket.ts'
import style from './voucher-bar.module.css'

/** Where a voucher is typed in, and which one is being redeemed. */
export function VoucherBar() {
  const { till, state, t, language } = useTill()
  const code = useSignal('')
  const trouble = useSignal('')
  const voucher = state.catalogue?.voucher
  async function redeem(event: Event): Promise<void> {
    event.preventDefault()
    const text = code.value.trim()
    if (text === '') return
    const problem = await till.redeem(text)
    trouble.value = problem ? problem.detail || t('till.trouble') : ''
    if (!problem) code.value = ''
  }
  if (voucher) {
    const left = Math.max(0, voucher.uses_left - usesOf(state.lines, voucher.code))
    return (
      <div class={style.redeemed} role="status" data-voucher={voucher.code}>
        <p>
          <strong>{t('till.with-voucher', { code: voucher.code })}</strong>
          <span>{t('till.voucher-left', { count: count(left, language) })}</span>
        </p>
        <Button icon="close" onPress={() => void till.redeem(null)}>
          {t('till.without-voucher')}
        </Button>
      </div>
    )
  }
  return (
    <form class={style.bar} onSubmit={redeem}>
      <SmallField
        id="till-voucher"
        aria-label={t('till.voucher')}
        placeholder={t('till.voucher')}
        autoComplete="off"
        value={code.value}
        onInput={(event) => {
          code.value = event.currentTarget.value
        }}
      />
      <Button disabled={code.value.trim() === ''}>{t('till.redeem')}</Button>
      {trouble.value !== '' && <p role="alert">{trouble.value}</p>}
    </form>
  )
}
