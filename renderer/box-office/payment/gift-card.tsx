import { useSignal } from '@preact/signals'
import { Button, Buttons } from '../../parts/button.tsx'
import { LabelledField } from '../../parts/field.tsx'
import { useTill } from '../context.ts'
import style from './gift-card.module.css'

/** A gift card: its code is typed here, or scanned at any time. */
export function GiftCardField() {
  const { till, t } = useTill()
  const code = useSignal('')
  return (
    <form
      class={style.way}
      onSubmit={(event) => {
        event.preventDefault()
        const text = code.value
        code.value = ''
        if (text.trim() !== '') void till.parts.takeGiftCard(text)
      }}
    >
      <LabelledField id="till-gift-card" label={t('till.gift-code')} text={code} maxLength={190} autoFocus />
      <Buttons>
        <Button kind="primary">{t('till.gift-take')}</Button>
      </Buttons>
    </form>
  )
}
