import type { Signal } from '@preact/signals'
import { SmallField } from '../../parts/field.tsx'
import { decimalOf } from '../amounts.ts'
import { useTill } from '../context.ts'
import { countedPieces, type TypedPieces, worthOf } from './cash-count.ts'
import { denominationsOf } from './denominations.ts'
import style from './piece-fields.module.css'

/** Notes and coins, counted one worth after the other, and what they come to. */
export function PieceFields({ pieces }: { readonly pieces: Signal<TypedPieces> }) {
  const { t, amount, currency } = useTill()
  const { notes, coins } = denominationsOf(currency)
  const sum = decimalOf(worthOf(countedPieces(pieces.value) ?? {}))
  return (
    <fieldset class={style.pieces}>
      <legend>{t('till.notes-and-coins')}</legend>
      {[...notes, ...coins].map((worth) => (
        <label key={worth} for={`piece-${worth}`}>
          <span>{amount(worth)} ×</span>
          <SmallField
            inputMode="numeric"
            autocomplete="off"
            id={`piece-${worth}`}
            data-worth={worth}
            value={pieces.value[worth] ?? ''}
            onInput={(event) => {
              pieces.value = { ...pieces.value, [worth]: event.currentTarget.value }
            }}
          />
        </label>
      ))}
      <output data-pieces={sum}>{t('till.counted-sum', { amount: amount(sum) })}</output>
    </fieldset>
  )
}
