import { useApp } from '../parts/context.ts'
import { Tool } from '../parts/tool.tsx'
import { works } from '../scanning/screen.ts'
import { shortcuts } from '../scanning/shortcuts.ts'
import { StaffAtWork } from '../sign-in/staff-at-work.tsx'
import style from './tools.module.css'

/** The few things one does besides scanning. */
export function Tools({ soundBlocked }: { readonly soundBlocked: boolean }) {
  const { desk, voice, actions } = useApp()
  const { t } = voice
  const sound = actions.soundOn()
  const silent = sound && soundBlocked
  return (
    <nav class={style.tools} aria-label={t('tools.label')}>
      <Tool
        icon="search"
        label={t('tools.search')}
        shortcut={shortcuts.search}
        disabled={!works(desk.state.value)}
        onPress={actions.search}
      />
      <Tool
        icon={actions.cameraOn() ? 'camera' : 'camera-off'}
        label={t('tools.camera')}
        shortcut={shortcuts.camera}
        pressed={actions.cameraOn()}
        onPress={() => actions.setCamera(!actions.cameraOn())}
      />
      <Tool
        icon={sound && !silent ? 'sound' : 'muted'}
        label={t(silent ? 'tools.sound-blocked' : 'tools.sound')}
        shortcut={shortcuts.sound}
        pressed={sound}
        warns={silent}
        onPress={() => actions.setSound(silent || !sound)}
      />
      {desk.state.value.station?.settings?.sells && (
        <Tool
          icon="till"
          label={t('till.open')}
          disabled={!works(desk.state.value)}
          onPress={() => void desk.change({ task: 'box-office' })}
        />
      )}
      <Tool
        icon="person"
        label={t('kiosk.open')}
        disabled={!works(desk.state.value)}
        onPress={() => void desk.change({ task: 'kiosk' })}
      />
      <Tool
        icon="bars"
        label={t('statistics.title')}
        disabled={!works(desk.state.value)}
        onPress={() => desk.send({ type: 'at-statistics', open: true })}
      />
      {desk.state.value.station?.settings?.asks_staff && <StaffAtWork />}
      <Tool
        icon="settings"
        label={t('tools.settings')}
        disabled={!works(desk.state.value)}
        onPress={() => desk.send({ type: 'setting-up', open: true })}
      />
    </nav>
  )
}
