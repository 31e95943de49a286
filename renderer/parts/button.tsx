import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

interface Props {
  readonly kind?: 'primary' | 'plain' | 'quiet'
  readonly icon?: IconName
  readonly onPress: () => void
  readonly disabled?: boolean
  readonly pressed?: boolean
  readonly class?: string
  readonly title?: string
  readonly id?: string
  readonly children: ComponentChildren
}

/** A button with words on it. */
export function Button({
  kind = 'plain',
  icon,
  onPress,
  disabled,
  pressed,
  title,
  id,
  children,
  ...rest
}: Props) {
  return (
    <button
      type="button"
      id={id}
      class={`button ${kind} ${rest.class ?? ''}`}
      disabled={disabled}
      aria-pressed={pressed}
      title={title}
      onClick={onPress}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  )
}
