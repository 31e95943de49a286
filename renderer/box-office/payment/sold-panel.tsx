import { ticketsAddress } from '../../api/orders-api.ts'
import { Button, Download } from '../../parts/button.tsx'
import { useApp } from '../../parts/context.ts'
import { count } from '../../text/format.ts'
import { decimalOf } from '../amounts.ts'
import { useTill } from '../context.ts'
import style from './sold-panel.module.css'

/** What was just sold, and what goes back; the next press on a product begins the next basket. */
export function SoldPanel() {
  const { till, state, t, language, amount } = useTill()
  const { desk } = useApp()
  const settings = desk.state.value.station?.settings
  const { sold } = state
  if (!sold || !settings) return null
  const { change } = sold
  return (
    <aside class={style.sold} aria-label={t('till.sold')} data-order={sold.code}>
      <h2>{t('till.sold')}</h2>
      {change !== null && (
        <p class={style.change}>
          <span>{t('till.give-back')}</span>
          <b data-change={decimalOf(change)}>{amount(decimalOf(change))}</b>
        </p>
      )}
      {sold.way === 'invoice' && <p>{t('till.invoice.sold')}</p>}
      <dl>
        <div>
          <dt>{t('till.order')}</dt>
          <dd>{sold.code}</dd>
        </div>
        <div>
          <dt>{t('till.total')}</dt>
          <dd>{amount(sold.total)}</dd>
        </div>
        <div>
          <dt>{t('till.issued')}</dt>
          <dd>{count(sold.tickets, language)}</dd>
        </div>
      </dl>
      <Download icon="save" href={ticketsAddress(settings, sold.code)} onPress={() => undefined}>
        {t('till.print')}
      </Download>
      {sold.way !== 'invoice' && (
        <Button onPress={() => till.send({ type: 'at-receipts', search: sold.code })}>
          {t('till.receipt.sale')}
        </Button>
      )}
      <Button kind="primary" icon="next" onPress={() => till.send({ type: 'finished' })}>
        {t('till.next')}
      </Button>
    </aside>
  )
}
