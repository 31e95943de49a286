import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { useApp } from '../../parts/context.ts'
import { SmallField } from '../../parts/field.tsx'
import { ObjectionText } from '../../parts/objection.tsx'
import { CountrySelect } from '../../questions/country-select.tsx'
import { useTill } from '../context.ts'
import style from './invoice-payment.module.css'
import { blankInvoice, type InvoiceTo, invoiceFields, invoiceObjection } from './invoice-to.ts'
import { amountToPay, type TillPayment } from './payment-state.ts'

/** Nothing is paid now: an invoice goes to an address, and the tickets are good already. */
export function InvoicePayment({ payment }: { readonly payment: TillPayment }) {
  const { till, t, amount } = useTill()
  const { desk } = useApp()
  const isTried = useSignal(false)
  const form = useRef<HTMLFormElement>(null)
  const station = desk.state.value.station?.settings
  const to = payment.invoice ?? blankInvoice(station?.country ?? '', payment.sale.email)
  const type = (more: Partial<InvoiceTo>) => till.send({ type: 'invoiced', to: { ...to, ...more } })
  const focus = (key = 'company') => form.current?.querySelector<HTMLElement>(`#till-invoice-${key}`)?.focus()
  useLayoutEffect(() => focus(), [])
  const sell = () => {
    const open = invoiceFields.find((field) => invoiceObjection(field, to) !== null)
    isTried.value = open !== undefined
    if (open) return focus(open.key)
    type({})
    till.take(null)
  }
  return (
    <form
      ref={form}
      class={style.invoice}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        sell()
      }}
    >
      <p>{t('till.invoice', { amount: amount(amountToPay(payment)) })}</p>
      {invoiceFields.map((field) => {
        const { key, optional, autocomplete } = field
        const objection = isTried.value ? invoiceObjection(field, to) : null
        return (
          <label key={key} for={`till-invoice-${key}`} data-field={key}>
            <span>
              {t(`till.invoice.${key}`)}
              {optional && <small> {t('asking.optional')}</small>}
            </span>
            <SmallField
              id={`till-invoice-${key}`}
              type="text"
              inputMode={key === 'email' ? 'email' : 'text'}
              autocomplete={autocomplete}
              maxLength={250}
              aria-describedby={`till-invoice-${key}-objection`}
              aria-invalid={objection !== null}
              value={to[key]}
              onInput={(event) => type({ [key]: event.currentTarget.value })}
            />
            <ObjectionText id={`till-invoice-${key}-objection`} class={style.objection ?? ''}>
              {objection && t(objection)}
            </ObjectionText>
          </label>
        )
      })}
      <CountrySelect
        id="till-invoice-country"
        label={t('till.invoice.country')}
        country={to.country}
        onChoose={(country) => type({ country })}
      />
      <Button kind="primary" icon="check">
        {t('till.invoice.sell')}
      </Button>
    </form>
  )
}
