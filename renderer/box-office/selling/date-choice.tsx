import { useApp } from '../../parts/context.ts'
import { clock, formatDate } from '../../text/format.ts'
import { useTill } from '../context.ts'
import style from './date-choice.module.css'

/** The date of a series that tickets are sold for. */
export function DateChoice() {
  const { till, state, t, language, named } = useTill()
  const { voice } = useApp()
  const { catalogue } = state
  if (!catalogue || catalogue.dates.length === 0) return null
  return (
    <label class={style.date}>
      <span>{t('till.date')}</span>
      <select
        value={String(state.date ?? '')}
        disabled={state.payment !== null}
        onChange={(event) => {
          till.send({ type: 'dated', date: Number(event.currentTarget.value) })
          void till.refresh()
        }}
      >
        {catalogue.dates.map(({ id, name, date_from }) => (
          <option key={id} value={String(id)}>
            {`${formatDate(date_from, voice.timeZone, language)}, ${clock(date_from, voice.timeZone, language)} · ${named(name)}`}
          </option>
        ))}
      </select>
    </label>
  )
}
