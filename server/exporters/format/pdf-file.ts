import PDFDocument from 'pdfkit'

/** A PDF whose pages are drawn bit by bit: what is finished is given away between two portions of them. */
export async function* pdfFile(
  options: PDFKit.PDFDocumentOptions,
  draw: (document: PDFKit.PDFDocument) => AsyncIterable<void>,
): AsyncGenerator<Buffer> {
  const document = new PDFDocument({ margin: 0, autoFirstPage: false, ...options })
  function* finished(): Generator<Buffer> {
    for (let chunk: unknown = document.read(); chunk !== null; chunk = document.read()) yield chunk as Buffer
  }
  for await (const _ of draw(document)) yield* finished()
  document.end()
  for await (const chunk of document) yield Buffer.from(chunk)
}
