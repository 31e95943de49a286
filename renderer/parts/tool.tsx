import { Icon, type IconName } from './icon.tsx'
import style from './tool.module.css'

interface Props {
  readonly icon: IconName
  readonly label: string
  /** Shows the icon alone. */
  readonly wordless?: boolean
  /** The key that does the same. */
  readonly shortcut?: string
  readonly pressed?: boolean
  readonly warns?: boolean
  readonly disabled?: boolean
  readonly onPress: () => void
}

/** A small button with an icon above its words. */
export function Tool({ icon, label, wordless, shortcut, pressed, warns, disabled, onPress }: Props) {
  return (
    <button
      type="button"
      class={warns ? `${style.tool} ${style.warns}` : style.tool}
      disabled={disabled}
      aria-label={wordless ? label : undefined}
      aria-pressed={pressed}
      aria-keyshortcuts={shortcut}
      title={shortcut ? `${label} (${shortcut})` : label}
      onClick={onPress}
    >
      <Icon name={icon} />
      {!wordless && <span>{label}</span>}
    </button>
  )
}
