import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { useApp } from '../parts/context.ts'
import { formatMoney } from '../text/format.ts'
import { localized } from '../text/translate.ts'
import type { Till } from './till.ts'

/** Hands the till down to its parts. */
export const TillContext = createContext<Till | null>(null)

/** The till, and how it writes amounts and names. */
export function useTill() {
  const till = useContext(TillContext)
  const { voice } = useApp()
  if (!till) throw new Error('outside of the box office')
  const currency = till.state.value.catalogue?.currency ?? 'EUR'
  return {
    till,
    state: till.state.value,
    t: voice.t,
    currency,
    language: voice.language,
    amount: (value: string) => formatMoney(value, currency, voice.language),
    named: (name: Parameters<typeof localized>[0]) => localized(name, voice.language),
  }
}
