import type { ComponentChildren } from 'preact'
import style from './drawer-form.module.css'

/** What is typed about a drawer for one act, and the button that does it. */
export function DrawerForm({ children }: { readonly children: ComponentChildren }) {
  return <div class={style.form}>{children}</div>
}
