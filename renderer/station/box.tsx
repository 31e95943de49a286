import type { ComponentChildren } from 'preact'
import style from './box.module.css'

interface Children {
  readonly children: ComponentChildren
}

interface Props extends Children {
  readonly title: string
  /** How many things the box is about, beside its title. */
  readonly count?: string | null
}

/** A part of the station page, with its title. */
export function Box({ title, count, children }: Props) {
  return (
    <UntitledBox label={title}>
      <h2>
        {title}
        {count && <Count>{count}</Count>}
      </h2>
      {children}
    </UntitledBox>
  )
}

interface UntitledProps extends Children {
  readonly label: string
  readonly [data: `data-${string}`]: string
}

/** A part of the station page that begins without a title of its own. */
export function UntitledBox({ label, ...rest }: UntitledProps) {
  return <section {...rest} class={style.box} aria-label={label} />
}

/** How many there are, as a small pill beside a word. */
export function Count({ children }: Children) {
  return <b class={style.count}>{children}</b>
}

/** A line that one may overlook. */
export function Aside({ children }: Children) {
  return <p class={style.soft}>{children}</p>
}
