import { useApp } from '../parts/context.ts'
import { Warning } from '../parts/warning.tsx'
import style from './door-notices.module.css'

/** What everybody at this entrance has to know while it goes on. */
export function DoorNotices() {
  const { desk, voice } = useApp()
  const settings = desk.state.value.station?.settings
  if (!settings || settings.missing_lists.length === 0) return null
  return (
    <div class={style.notices}>
      <Warning data-notice="lists-missing">
        {voice.t('setup.lists-missing', { lists: settings.missing_lists.join(', ') })}
      </Warning>
    </div>
  )
}
