import type { ComponentChildren } from 'preact'
import style from './objection.module.css'

interface Props {
  readonly id?: string
  readonly class?: string
  readonly children: ComponentChildren
}

/** What was wrong with what somebody entered or wanted; nothing is seen while it is empty. */
export function ObjectionText({ id, children, ...rest }: Props) {
  return (
    <p id={id} class={`${style.objection} ${rest.class ?? ''}`} role="alert">
      {children}
    </p>
  )
}
