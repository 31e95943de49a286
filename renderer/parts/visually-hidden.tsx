import type { ComponentProps } from 'preact'
import style from './visually-hidden.module.css'

/** Words for those who hear the screen instead of seeing it. */
export function VisuallyHidden(props: ComponentProps<'span'>) {
  return <span {...props} class={style.hidden} />
}
