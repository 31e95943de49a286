import type { ComponentChildren } from 'preact'
import style from './warning.module.css'

interface Props {
  readonly bad?: boolean
  readonly role?: 'alert'
  readonly children: ComponentChildren
  readonly [data: `data-${string}`]: string
}

/** Something to know before one goes on, or, where it is bad, why one cannot. */
export function Warning({ bad, ...rest }: Props) {
  return <div {...rest} class={bad ? `${style.warning} ${style.bad}` : style.warning} />
}
