import { useSignal } from '@preact/signals'
import { type GuestDocument, guestDocuments } from '../../schema/bodies/print-jobs.ts'
import { openPrintsApi, type PreviewWish } from '../api/prints-api.ts'
import { Button } from '../parts/button.tsx'
import { useApp } from '../parts/context.ts'
import style from './printer-preview.module.css'
import type { TypedPrinter } from './typed-printers.ts'

const api = openPrintsApi()

/** Shows what a printer would print for a made-up guest, in its dots; it need not be saved, or be there. */
export function PrinterPreview({ printer }: { readonly printer: TypedPrinter }) {
  const { voice, language } = useApp()
  const { t } = voice
  const isOpen = useSignal(false)
  const documents = guestDocuments.filter((one) => printer.duties[one].value)
  if (documents.length === 0) return null
  return (
    <div class={style.preview}>
      <Button
        onPress={() => {
          isOpen.value = !isOpen.value
        }}
      >
        {t(isOpen.value ? 'printer.preview-close' : 'printer.preview')}
      </Button>
      {isOpen.value &&
        documents.map((document) => {
          const wish = { document, profile: printer.profile.value, locale: language }
          return <Picture key={`${document} ${wish.profile}`} wish={wish} document={document} />
        })}
    </div>
  )
}

function Picture({ wish, document }: { readonly wish: PreviewWish; readonly document: GuestDocument }) {
  const { t } = useApp().voice
  const objection = useSignal('')
  const name = `${t(`setup.printer-document.${document}`)}: ${t('printer.preview-example')}`
  const explain = async () => {
    const answer = await api.previewProblem(wish)
    objection.value = answer?.detail || t('printer.failed')
  }
  return (
    <figure data-preview={document}>
      {objection.value === '' ? (
        <img src={api.previewAddress(wish)} alt={name} onError={() => void explain()} />
      ) : (
        <p role="alert">{objection.value}</p>
      )}
      <figcaption>{name}</figcaption>
    </figure>
  )
}
