import style from './code.module.css'

/** A code as it was read, letter for letter. */
export function Code({ text, soft }: { readonly text: string; readonly soft?: boolean }) {
  return (
    <p class={soft ? `${style.code} ${style.soft}` : style.code}>
      <bdi dir="ltr">{text}</bdi>
    </p>
  )
}
