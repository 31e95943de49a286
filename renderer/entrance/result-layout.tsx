import type { ComponentChildren } from 'preact'
import { Buttons } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import { inkOn } from '../parts/ink.ts'
import { Shape, type ShapeName } from '../parts/shape.tsx'
import type { Look } from '../scanning/entries.ts'
import style from './result-layout.module.css'

const longName = 26

interface Children {
  readonly children: ComponentChildren
}

interface Props extends Children {
  readonly look: Look
  readonly shape: ShapeName
  readonly reason?: string
  /** What a screen reader calls it; otherwise it is the result of a scan. */
  readonly label?: string
  readonly buttons: ComponentChildren
  /** What lies across it below the words. */
  readonly band?: ComponentChildren
  /** What lies above everything else. */
  readonly cover?: ComponentChildren
}

/** A message over the whole stage: a shape, the words beside it, and what can be done below them. */
export function ResultLayout({ look, shape, reason, label, buttons, band, cover, children }: Props) {
  const { t } = useApp().voice
  return (
    <section
      class={style.result}
      data-result={look}
      data-reason={reason}
      aria-label={label ?? t('result.label')}
    >
      <Shape name={shape} />
      <div class={style.words}>
        {children}
        <Buttons class={style.buttons}>{buttons}</Buttons>
      </div>
      {band}
      {cover}
    </section>
  )
}

/** What came out, in a word or two; large unless a name is larger. */
export function Headline({ small, children }: Children & { readonly small?: boolean }) {
  return <h1 class={small ? style.headline : `${style.headline} ${style.large}`}>{children}</h1>
}

/** Whose ticket it is. */
export function GuestName({ large, name }: { readonly large?: boolean; readonly name: string }) {
  const size = large ? `${style.large} ${name.length > longName ? style.long : ''}` : ''
  return (
    <p class={`${style.name} ${size}`}>
      <bdi>{name}</bdi>
    </p>
  )
}

/** What the ticket is for. */
export function ProductTitle({ children }: Children) {
  return <p class={style.product}>{children}</p>
}

/** What an admitted ticket is for, across the result in the colour of the product. */
export function ProductBand({ color, children }: Children & { readonly color: string | null }) {
  return (
    <p
      class={style.band}
      data-color={color ?? undefined}
      style={color ? { background: color, color: inkOn(color) } : undefined}
    >
      {children}
    </p>
  )
}

/** What to do now. */
export function NextStep({ children }: Children) {
  return <p class={style.step}>{children}</p>
}
