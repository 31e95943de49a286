import type { ComponentChildren, ComponentProps } from 'preact'
import style from './visually-hidden.module.css'

/** Words for those who hear the screen instead of seeing it. */
export function VisuallyHidden(props: ComponentProps<'span'>) {
  return <span {...props} class={style.hidden} />
}

/** The title of a page on which no other words are one. */
export function HiddenTitle({ children }: { readonly children: ComponentChildren }) {
  return <h1 class={style.hidden}>{children}</h1>
}
