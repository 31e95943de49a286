import type { ListCapacity } from '../../schema/bodies/station-state.ts'
import { useApp } from '../parts/context.ts'
import { Icon } from '../parts/icon.tsx'
import { ageText, dataAge, markOf } from '../station/wording.ts'
import style from './door-notices.module.css'

/** What everybody at this entrance has to know while it goes on: how full it is, and which of its lists have gone. */
export function DoorNotices() {
  const { desk, voice } = useApp()
  const { settings, counts } = desk.state.value.station ?? {}
  if (!settings) return null
  const missing = settings.missing_lists
  const capacities = counts?.capacities ?? []
  if (missing.length === 0 && capacities.length === 0) return null
  return (
    <div class={style.notices}>
      {capacities.map((capacity) => (
        <CapacityNotice key={capacity.list} capacity={capacity} isNamed={settings.lists.length > 1} />
      ))}
      {missing.length > 0 && (
        <p class={style.notice} data-notice="lists-missing" role="alert">
          {voice.t('setup.lists-missing', { lists: missing.join(', ') })}
        </p>
      )}
    </div>
  )
}

interface CapacityProps {
  readonly capacity: ListCapacity
  /** There are several lists, so that it has to be said which one is meant. */
  readonly isNamed: boolean
}

/** How full the place behind a list is; away from the other entrances, with how old their numbers are. */
function CapacityNotice({ capacity, isNamed }: CapacityProps) {
  const { voice, connection } = useApp()
  const { t } = voice
  const { name, inside, capacity: most, fullness } = capacity
  const state = connection.state.value
  const age = dataAge(state)
  const isAlone = ['offline', 'hub'].includes(markOf(state) ?? '')
  return (
    <p class={style.notice} data-fullness={fullness} role={fullness === 'full' ? 'alert' : 'status'}>
      <Icon name="person" />
      {isNamed && <span>{name}</span>}
      <strong>{t(`counts.${fullness}`, { inside, capacity: most })}</strong>
      {isAlone && age !== null && <small>{t('link.data', { age: ageText(age, t) })}</small>}
    </p>
  )
}
