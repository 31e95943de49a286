import type { ComponentChildren } from 'preact'
import style from './status-mark.module.css'

interface Props {
  readonly kind: 'plain' | 'good' | 'warns' | 'asks' | 'refuses'
  readonly children: ComponentChildren
}

/** How it stands with an order or a ticket, in a word or two. */
export function StatusMark({ kind, children }: Props) {
  return (
    <span class={style.mark} data-mark={kind}>
      {children}
    </span>
  )
}
