import style from './link-shape.module.css'
import type { Mark } from './wording.ts'

const signs: Readonly<Record<Mark, preact.JSX.Element>> = {
  online: (
    <>
      <circle cx="12" cy="12" r="11" />
      <path class={style.sign} d="m7 12.5 3.5 3.5L17 9" />
    </>
  ),
  hub: (
    <>
      <path d="M12 .5 23.5 12 12 23.5.5 12Z" />
      <path class={style.sign} d="M7.5 12h9" />
    </>
  ),
  offline: (
    <>
      <path d="M12 1.5 23.5 22H.5Z" stroke="currentColor" stroke-linejoin="round" />
      <path class={style.sign} d="M12 9v6m0 3.3v.2" />
    </>
  ),
  local: (
    <>
      <rect x="2" y="2" width="20" height="20" rx="3" />
      <path class={style.sign} d="M8 12h8" />
    </>
  ),
  loading: (
    <>
      <circle cx="12" cy="12" r="11" />
      <path class={style.sign} d="M12 6.5v10m-4-4 4 4 4-4" />
    </>
  ),
  revoked: (
    <>
      <path d="M7.5 1h9L23 7.5v9L16.5 23h-9L1 16.5v-9Z" />
      <path class={style.sign} d="m8 8 8 8m0-8-8 8" />
    </>
  ),
}

/** The small sign of how the link is: its outline alone tells it from the others, without any colour. */
export function LinkShape({ mark }: { readonly mark: Mark }) {
  return (
    <svg
      class={style.shape}
      data-mark={mark}
      viewBox="0 0 24 24"
      fill="currentColor"
      aria-hidden="true"
      focusable="false"
    >
      {signs[mark]}
    </svg>
  )
}
