import type { ComponentChildren } from 'preact'
import style from './icon.module.css'

const line = (children: ComponentChildren) => (
  <g fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">
    {children}
  </g>
)

const icons = {
  search: line(
    <>
      <circle cx="10.5" cy="10.5" r="6.5" />
      <path d="m20 20-4.9-4.9" />
    </>,
  ),
  camera: line(
    <>
      <path d="M3 8.5A1.5 1.5 0 0 1 4.5 7H7l1.6-2.5h6.8L17 7h2.5A1.5 1.5 0 0 1 21 8.5v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5Z" />
      <circle cx="12" cy="12.8" r="3.5" />
    </>,
  ),
  'camera-off': line(
    <>
      <path d="M3 8.5A1.5 1.5 0 0 1 4.5 7H7m2-2.5h6.4L17 7h2.5A1.5 1.5 0 0 1 21 8.5v9M17.5 19h-13A1.5 1.5 0 0 1 3 17.5v-9" />
      <path d="M9.5 10.4a3.5 3.5 0 0 0 4.9 4.9M3 3l18 18" />
    </>,
  ),
  sound: line(
    <>
      <path d="M4 9.5v5h3.5L12 18.5v-13L7.5 9.5Z" />
      <path d="M15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11" />
    </>,
  ),
  muted: line(
    <>
      <path d="M4 9.5v5h3.5L12 18.5v-13L7.5 9.5Z" />
      <path d="m16 9.5 5 5m0-5-5 5" />
    </>,
  ),
  settings: line(
    <>
      <path d="M4 7h9m5 0h2M4 17h2m5 0h9" />
      <circle cx="15.5" cy="7" r="2.5" />
      <circle cx="8.5" cy="17" r="2.5" />
    </>,
  ),
  undo: line(<path d="M8.5 5 4 9.5 8.5 14M4.5 9.5H14a5.2 5.2 0 0 1 0 10.4H9" />),
  entry: line(
    <path d="M13 4h5.5A1.5 1.5 0 0 1 20 5.5v13a1.5 1.5 0 0 1-1.5 1.5H13M3 12h11m-4.5-4.5L14 12l-4.5 4.5" />,
  ),
  exit: line(
    <path d="M11 4H5.5A1.5 1.5 0 0 0 4 5.5v13A1.5 1.5 0 0 0 5.5 20H11m-1-8h11m-4.5-4.5L21 12l-4.5 4.5" />,
  ),
  printer: line(
    <path d="M7 8V3.5h10V8M7 17H4.5A1.5 1.5 0 0 1 3 15.5v-6A1.5 1.5 0 0 1 4.5 8h15A1.5 1.5 0 0 1 21 9.5v6a1.5 1.5 0 0 1-1.5 1.5H17M7 14h10v6.5H7Z" />,
  ),
  close: line(<path d="m6 6 12 12M18 6 6 18" />),
  back: line(<path d="M10 5.5 3.5 12l6.5 6.5M4 12h16.5" />),
  next: line(<path d="m14 5.5 6.5 6.5-6.5 6.5M20 12H3.5" />),
  check: line(<path d="m5 12.5 4.5 4.5L19 7.5" />),
  torch: line(<path d="M7 3h10v4l-2.5 3.5V21h-5V10.5L7 7Zm0 4h10M12 13.5v2" />),
  turn: line(
    <path d="M4 12a8 8 0 0 1 13.7-5.6L20 8.5m0-4.5v4.5h-4.5M20 12a8 8 0 0 1-13.7 5.6L4 15.5M4 20v-4.5h4.5" />,
  ),
  scanner: line(
    <>
      <path d="M4 8V5.5A1.5 1.5 0 0 1 5.5 4H8m8 0h2.5A1.5 1.5 0 0 1 20 5.5V8m0 8v2.5a1.5 1.5 0 0 1-1.5 1.5H16m-8 0H5.5A1.5 1.5 0 0 1 4 18.5V16" />
      <path d="M8 8.5v7m2.7-7v7m2.6-7v7m2.7-7v7" />
    </>,
  ),
  keyboard: line(
    <>
      <rect x="2.5" y="6" width="19" height="12" rx="1.5" />
      <path d="M6.5 10h.01M10.2 10h.01M13.8 10h.01M17.5 10h.01M7.5 14h9" />
    </>,
  ),
  link: line(
    <path d="M10 14a4 4 0 0 0 6 .4l3-3a4.1 4.1 0 0 0-5.8-5.8l-1.4 1.4M14 10a4 4 0 0 0-6-.4l-3 3a4.1 4.1 0 0 0 5.8 5.8l1.4-1.4" />,
  ),
  unlinked: line(
    <path d="m8.5 9.5-3.4 3.4a4.1 4.1 0 0 0 5.8 5.8l1.2-1.2m3.4-3 3.4-3.4a4.1 4.1 0 0 0-5.8-5.8l-1.2 1.2M3 3l18 18" />,
  ),
  clash: line(<path d="M2.5 12H10m-3-3 3 3-3 3m14.5-3H14m3-3-3 3 3 3M12 4v2m0 12v2" />),
  warn: line(<path d="M12 3.5 21.5 20h-19ZM12 10v4.5m0 2.7v.1" />),
  save: line(<path d="M12 4v11m-4.5-4.5L12 15l4.5-4.5M4 19.5h16" />),
  till: line(
    <path d="M5 10.5h14l1.5 6v3h-17v-3ZM3.5 16.5h17M8 10.5V6h8v4.5M8 13.5h.01M12 13.5h.01M16 13.5h.01" />,
  ),
  bars: line(<path d="M4 20h16M7 16v-4m5 4V5m5 11V9" />),
  screen: line(<path d="M4 4.5h16v11H4Zm8 11v4m-4 0h8" />),
  person: line(
    <>
      <circle cx="12" cy="8" r="4" />
      <path d="M4.5 20.5c.8-3.8 3.8-5.5 7.5-5.5s6.7 1.7 7.5 5.5" />
    </>,
  ),
} as const

/** The name of a small icon. */
export type IconName = keyof typeof icons

/** Icons whose direction means something: where one writes to the left, they point the other way. */
const mirrored: ReadonlySet<IconName> = new Set([
  'search',
  'sound',
  'muted',
  'undo',
  'entry',
  'exit',
  'back',
  'next',
])

/** A small icon in the colour of the text around it; always beside words or on a labelled button. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      class={style.icon}
      data-mirrored={mirrored.has(name)}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      {icons[name]}
    </svg>
  )
}
