import type { ComponentChildren, ComponentProps } from 'preact'
import style from './page.module.css'

interface Children {
  readonly children: ComponentChildren
}

interface Props extends Children {
  readonly label: string
  readonly title: string
  /** What stands beside the title. */
  readonly aside: ComponentChildren
  /** What has just come about, below the title. */
  readonly note?: string | null
  readonly class?: string
  readonly [data: `data-${string}`]: string
}

/** A page that fills the screen: a title, and panels or columns below it. */
export function PageFrame({ label, title, aside, note, children, class: more = '', ...rest }: Props) {
  return (
    <section {...rest} class={`${style.page} ${more}`} aria-label={label}>
      <header>
        <h1>{title}</h1>
        {aside}
      </header>
      {note && (
        <p class={style.note} role="status">
          {note}
        </p>
      )}
      {children}
    </section>
  )
}

/** Columns beside each other, below each other where the screen is narrow. */
export function Columns({ children }: Children) {
  return <div class={style.columns}>{children}</div>
}

/** One of the columns. */
export function PageColumn({ children }: Children) {
  return <div class={style.column}>{children}</div>
}

/** One thing to read or to decide, in the middle of the page. */
export function Panel(props: ComponentProps<'div'>) {
  return <div {...props} class={style.panel} />
}

/** A panel to fill in. */
export function FormPanel(props: ComponentProps<'form'>) {
  return <form noValidate {...props} class={style.panel} />
}

/** The first line of a panel. */
export function Lead({ id, children }: Children & { readonly id?: string }) {
  return (
    <p class={style.lead} id={id}>
      {children}
    </p>
  )
}

/** A line of a panel that explains. */
export function Hint({ children }: Children) {
  return <p class={style.hint}>{children}</p>
}
