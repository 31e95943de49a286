import type { ComponentChildren } from 'preact'
import style from './button.module.css'
import { Icon, type IconName } from './icon.tsx'

interface Look {
  readonly kind?: 'primary' | 'plain' | 'quiet'
  readonly icon?: IconName
  readonly children: ComponentChildren
}

interface Props extends Look {
  /** What a press does; a button without it sends the form that it stands in. */
  readonly onPress?: () => void
  readonly disabled?: boolean
  readonly pressed?: boolean
  readonly title?: string
  /** What it is called where its words alone do not say enough. */
  readonly label?: string
  readonly [data: `data-${string}`]: string | boolean
}

/** A button with words on it. */
export function Button({ kind = 'plain', icon, children, onPress, pressed, label, ...rest }: Props) {
  return (
    <button
      {...rest}
      type={onPress ? 'button' : 'submit'}
      class={style.button}
      data-kind={kind}
      aria-pressed={pressed}
      aria-label={label}
      onClick={onPress}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  )
}

interface DownloadProps extends Look {
  readonly href: string
  readonly onPress: () => void
}

/** A link that looks like a button and saves a file. */
export function Download({ kind = 'plain', icon, children, href, onPress }: DownloadProps) {
  return (
    <a class={style.button} data-kind={kind} href={href} download onClick={onPress}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </a>
  )
}

/** Buttons in a row, in several where there is no room. */
export function Buttons(props: { readonly class?: string; readonly children: ComponentChildren }) {
  return <div class={`${style.buttons} ${props.class ?? ''}`}>{props.children}</div>
}
