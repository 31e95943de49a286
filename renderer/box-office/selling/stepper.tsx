import { useTill } from '../context.ts'
import style from './stepper.module.css'

interface Props {
  /** What is counted. */
  readonly label: string
  readonly count: number
  readonly most?: number
  readonly disabled?: boolean
  readonly onCount: (count: number) => void
}

/** A number between two buttons. */
export function Stepper({ label, count, most = Number.POSITIVE_INFINITY, disabled = false, onCount }: Props) {
  const { t } = useTill()
  return (
    <span class={style.stepper}>
      <button
        type="button"
        aria-label={t('till.less', { name: label })}
        disabled={disabled || count === 0}
        onClick={() => onCount(count - 1)}
      >
        −
      </button>
      <output aria-label={label}>{count}</output>
      <button
        type="button"
        aria-label={t('till.more', { name: label })}
        disabled={disabled || count >= most}
        onClick={() => onCount(count + 1)}
      >
        +
      </button>
    </span>
  )
}
