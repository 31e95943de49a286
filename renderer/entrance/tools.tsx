import { Icon, type IconName } from '../parts/icon.tsx'
import { type Shortcut, shortcuts } from '../scanning/keys.ts'
import { useAround } from '../scanning/surroundings.ts'
import { works } from './screen-of.ts'

interface ToolProps {
  readonly icon: IconName
  readonly label: string
  readonly shortcut?: Shortcut
  readonly pressed?: boolean
  readonly warns?: boolean
  readonly disabled?: boolean
  readonly onPress: () => void
}

function Tool({ icon, label, shortcut, pressed, warns, disabled, onPress }: ToolProps) {
  const key = shortcut && shortcuts[shortcut]
  return (
    <button
      type="button"
      class={warns ? 'tool warns' : 'tool'}
      disabled={disabled}
      aria-pressed={pressed}
      aria-keyshortcuts={key}
      title={key ? `${label} (${key})` : label}
      onClick={onPress}
    >
      <Icon name={icon} />
      <span>{label}</span>
    </button>
  )
}

/** The few things one does besides scanning. */
export function Tools({ soundBlocked }: { readonly soundBlocked: boolean }) {
  const { desk, voice, actions } = useAround()
  const { t } = voice
  const sound = actions.soundOn()
  const silent = sound && soundBlocked
  return (
    <nav class="tools" aria-label={t('tools.label')}>
      <Tool
        icon="search"
        label={t('tools.search')}
        shortcut="search"
        disabled={!works(desk.state.value)}
        onPress={actions.search}
      />
      <Tool
        icon={actions.cameraOn() ? 'camera' : 'camera-off'}
        label={t('tools.camera')}
        shortcut="camera"
        pressed={actions.cameraOn()}
        onPress={() => actions.setCamera(!actions.cameraOn())}
      />
      <Tool
        icon={sound && !silent ? 'sound' : 'muted'}
        label={t(silent ? 'tools.sound-blocked' : 'tools.sound')}
        shortcut="sound"
        pressed={sound}
        warns={silent}
        onPress={() => actions.setSound(silent || !sound)}
      />
      <Tool
        icon="settings"
        label={t('tools.settings')}
        disabled={!works(desk.state.value)}
        onPress={() => desk.send({ type: 'setting-up', open: true })}
      />
    </nav>
  )
}
