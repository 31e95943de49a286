import { useEffect } from 'preact/hooks'
import { count } from '../../text/format.ts'
import { useTill } from '../context.ts'
import { quantityAfter } from './next-basket.ts'
import style from './quantities.module.css'

/** How many are often bought at once. */
const usual = [2, 3, 4, 5, 6, 8, 10]

/** How many the next press puts into the basket: pressed, or typed where nothing else takes the keys. */
export function Quantities() {
  const { till, state, t, language } = useTill()
  const { quantity } = state
  useEffect(() => {
    const typed = (event: KeyboardEvent) => {
      const before = till.state.value.quantity
      const after = isElsewhere(event) ? undefined : quantityAfter(before, event.key)
      if (after !== undefined) till.send({ type: 'quantity', quantity: after })
    }
    window.addEventListener('keydown', typed)
    return () => window.removeEventListener('keydown', typed)
  }, [till])
  const isUsual = quantity === null || usual.includes(quantity)
  return (
    <fieldset class={style.quantities} aria-label={t('till.quantity')}>
      <span aria-hidden="true">{t('till.quantity')}</span>
      {[...usual, ...(isUsual ? [] : [quantity])].map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === quantity}
          data-quantity={one}
          onClick={() => till.send({ type: 'quantity', quantity: one === quantity ? null : one })}
        >
          {count(one, language)} ×
        </button>
      ))}
    </fieldset>
  )
}

/** Whether a key is for a field or the browser. */
const isElsewhere = ({ target, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean =>
  ctrlKey ||
  altKey ||
  metaKey ||
  (target instanceof Element && target.closest('input, textarea, select') !== null)
