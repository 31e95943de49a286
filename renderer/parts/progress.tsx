import type { ComponentProps } from 'preact'
import style from './progress.module.css'

/** How far something has come. */
export function ProgressBar(props: ComponentProps<'progress'>) {
  return <progress {...props} class={style.progress} />
}
