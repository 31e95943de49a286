import type { PrintPages } from '../../schema/bodies/print-jobs.ts'
import { openPrintsApi } from '../api/prints-api.ts'
import './window-printer.css'

const api = openPrintsApi()

/** Prints pages of the server at a printer of this machine, where this window belongs to a shell that can. */
export async function printInWindow(wanted: PrintPages): Promise<void> {
  const shell = window.gatehouse
  if (!shell) return
  const known = await shell.printers().catch(() => [])
  if (!known.some(({ name }) => name === wanted.printer)) return
  const sheet = document.createElement('div')
  sheet.id = 'printed-pages'
  const pictures = Array.from({ length: wanted.pages }, (_, index) => {
    const picture = new Image()
    picture.src = api.pageAddress(wanted.id, index)
    picture.alt = ''
    picture.style.inlineSize = `${wanted.width_mm}mm`
    return picture
  })
  sheet.append(...pictures)
  try {
    await Promise.all(pictures.map((picture) => picture.decode()))
    if (!(await api.tell(wanted.id, 'begun')).ok) return
    document.body.append(sheet)
    const { width_mm: widthMm, height_mm: heightMm, printer } = wanted
    const { printed } = await shell.print({ printer, widthMm, heightMm, copies: 1 })
    await api.tell(wanted.id, printed ? 'printed' : 'failed')
  } catch {
    await api.tell(wanted.id, 'failed')
  } finally {
    sheet.remove()
  }
}
