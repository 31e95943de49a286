import { Button } from '../../parts/button.tsx'
import { useTill } from '../context.ts'
import { stillToPay, type TillPayment } from './payment-state.ts'
import style from './taken-parts.module.css'

/** What is there already of what is to be paid; each can be given back. */
export function TakenParts({ payment }: { readonly payment: TillPayment }) {
  const { till, t, amount } = useTill()
  if (payment.parts.length === 0) return null
  return (
    <section class={style.parts} aria-label={t('till.taken')}>
      <ul>
        {payment.parts.map((part) => (
          <li key={part.id} data-part={part.way}>
            <span>{t(`till.way.${part.way}`)}</span>
            <b>{amount(part.amount)}</b>
            <Button kind="quiet" icon="close" onPress={() => void till.parts.giveBack(part)}>
              {t(part.way === 'giftcard' ? 'till.part-off' : 'till.part-back')}
            </Button>
          </li>
        ))}
      </ul>
      {stillToPay(payment) === 0 && (
        <Button kind="primary" onPress={() => till.take(null)}>
          {t('till.take')}
        </Button>
      )}
    </section>
  )
}
