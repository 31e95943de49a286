import type { ComponentChildren } from 'preact'
import style from './shape.module.css'

const glyph = (children: ComponentChildren) => (
  <g class={style.glyph} fill="none" stroke-width="9" stroke-linecap="round" stroke-linejoin="round">
    {children}
  </g>
)
const circle = <circle cx="50" cy="50" r="47" />
const octagon = (
  <path
    d="M31 4h38l27 27v38L69 96H31L4 69V31Z"
    stroke-width="4"
    stroke-linejoin="round"
    stroke="currentColor"
  />
)
const triangle = <path d="M50 9 95 88H5Z" stroke-width="10" stroke-linejoin="round" stroke="currentColor" />
const bubble = (
  <path d="M16 4h68a12 12 0 0 1 12 12v50a12 12 0 0 1-12 12H62L50 96 38 78H16A12 12 0 0 1 4 66V16A12 12 0 0 1 16 4Z" />
)
const card = <rect x="3" y="15" width="94" height="70" rx="12" />

const shapes = {
  ok: [circle, glyph(<path d="m28 52 15 15 29-32" />)],
  exit: [circle, glyph(<path d="M26 50h48M54 30l20 20-20 20" />)],
  attention: [
    triangle,
    glyph(
      <>
        <path d="M50 36v24" />
        <path d="M50 76v.5" />
      </>,
    ),
  ],
  refused: [octagon, glyph(<path d="m33 33 34 34m0-34L33 67" />)],
  question: [
    bubble,
    glyph(
      <>
        <path d="M38 30c1-7 6-11 13-11 8 0 13 5 13 11 0 9-13 10-13 20" />
        <path d="M51 63v.5" />
      </>,
    ),
  ],
  unpaid: [
    card,
    glyph(
      <>
        <path d="M3 38h94" stroke-linecap="butt" />
        <path d="M20 65h18" />
      </>,
    ),
  ],
  waiting: [
    <circle cx="50" cy="50" r="42" fill="none" stroke="currentColor" stroke-width="9" opacity=".3" />,
    <path
      class={style.spin}
      d="M50 8a42 42 0 0 1 42 42"
      fill="none"
      stroke="currentColor"
      stroke-width="9"
      stroke-linecap="round"
    />,
  ],
  undone: [circle, glyph(<path d="M43 27 26 43l17 16M28 43h29a14 14 0 0 1 0 28H44" />)],
  failed: [
    octagon,
    glyph(
      <>
        <path d="M50 27v27" />
        <path d="M50 73v.5" />
      </>,
    ),
  ],
} as const

/** The name of a shape. */
export type ShapeName = keyof typeof shapes

/** The large sign of a result: its outline alone tells it from the others, without any colour. */
export function Shape({ name }: { readonly name: ShapeName }) {
  return (
    <svg class={style.shape} viewBox="0 0 100 100" fill="currentColor" aria-hidden="true" focusable="false">
      {shapes[name]}
    </svg>
  )
}
