import {
  decodePDFRawStream,
  PDFArray,
  PDFBool,
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFPage,
  PDFRawStream,
  PDFRef,
  PDFString,
} from '@cantoo/pdf-lib'

/** A page that others are drawn over, in points, as it is seen. */
export interface BackgroundPage {
  readonly width: number
  readonly height: number
  /** Draws it on the page of a document that has its size; into the file it comes once. */
  drawOn(document: PDFKit.PDFDocument): void
}

/** What pdfkit writes as a dictionary: names are strings, texts are bytes. */
type Written = string | number | boolean | null | Buffer | Written[] | WrittenDict | PDFKit.PDFKitReference
interface WrittenDict {
  [name: string]: Written
}

/** What pdfkit has of a page beyond what its types say. */
interface WithForms {
  readonly page: { readonly xobjects: Record<string, PDFKit.PDFKitReference> }
}

/** The pages of a PDF as backgrounds; null where it is damaged, protected or empty. */
export async function backgroundPages(pdf: Uint8Array): Promise<readonly BackgroundPage[] | null> {
  const read = await PDFDocument.load(pdf, { updateMetadata: false }).catch(() => null)
  try {
    const pages = read?.getPages().map(backgroundPage) ?? []
    return pages.length === 0 ? null : pages
  } catch {
    return null
  }
}

function backgroundPage(page: PDFPage, index: number): BackgroundPage {
  const { context } = page.doc
  const seen = seenBox(page)
  const form: WrittenDict = {
    ...{ Type: 'XObject', Subtype: 'Form', FormType: 1, BBox: [...seen.box], Matrix: [...seen.matrix] },
  }
  const content = contentOf(page)
  const resources = page.node.Resources()
  const group = page.node.lookup(PDFName.of('Group'))
  const forms = new WeakMap<PDFKit.PDFDocument, PDFKit.PDFKitReference>()
  const formIn = (document: PDFKit.PDFDocument): PDFKit.PDFKitReference => {
    const copy = copier(document, context)
    const ref = document.ref({
      ...form,
      ...(resources ? { Resources: copy(resources) } : {}),
      ...(group ? { Group: copy(group) } : {}),
    })
    ref.end(content)
    forms.set(document, ref)
    return ref
  }
  const name = `Background${index}`
  return {
    ...{ width: seen.width, height: seen.height },
    drawOn(document) {
      const ref = forms.get(document) ?? formIn(document)
      const { page: drawn } = document as PDFKit.PDFDocument & WithForms
      drawn.xobjects[name] = ref
      // pdfkit counts from the upper edge.
      document.save().transform(1, 0, 0, -1, 0, seen.height)
      document.addContent(`/${name} Do`)
      document.restore()
    },
  }
}

/** The part of a page that is seen, and how it is turned. */
function seenBox(page: PDFPage) {
  const [media, crop] = [page.getMediaBox(), page.getCropBox()]
  const [left, bottom] = [Math.max(media.x, crop.x), Math.max(media.y, crop.y)]
  const right = Math.min(media.x + media.width, crop.x + crop.width)
  const top = Math.min(media.y + media.height, crop.y + crop.height)
  const [across, up] = [right - left, top - bottom]
  if (!(across > 0 && up > 0)) throw new RangeError('A page without a size.')
  const turn = (((page.getRotation().angle % 360) + 360) % 360) as 0 | 90 | 180 | 270
  const matrix = {
    0: [1, 0, 0, 1, -left, -bottom],
    90: [0, -1, 1, 0, -bottom, right],
    180: [-1, 0, 0, -1, right, top],
    270: [0, 1, -1, 0, top, -left],
  }[turn]
  const [width, height] = turn % 180 === 0 ? [across, up] : [up, across]
  return { box: [left, bottom, right, top], matrix, width, height }
}

/** What is drawn on a page; its parts are one program, and words do not reach from one into the next. */
function contentOf({ node, doc }: PDFPage): Buffer {
  const contents = node.Contents()
  const parts = contents instanceof PDFArray ? contents.asArray() : contents ? [contents] : []
  const streams = parts.map((part) => doc.context.lookup(part))
  return Buffer.concat(
    streams.flatMap((stream) =>
      stream instanceof PDFRawStream ? [decodePDFRawStream(stream).decode(), Buffer.from('\n')] : [],
    ),
  )
}

/** What is of use to other programs alone, and the length, which is counted anew. */
const leftOut = new Set(['PieceInfo', 'Metadata', 'Length'])

/** Copies what a page is made of into another document; what is shared is copied once. */
function copier(document: PDFKit.PDFDocument, context: PDFContext): (object: PDFObject) => Written {
  const copied = new Map<PDFObject, PDFKit.PDFKitReference>()
  const dictOf = (dict: PDFDict): WrittenDict =>
    Object.fromEntries(
      dict
        .entries()
        .map(([key, value]): [string, Written] => [key.asString().slice(1), copy(value)])
        .filter(([name]) => !leftOut.has(name)),
    )
  function referred(target: PDFDict | PDFRawStream): PDFKit.PDFKitReference {
    const known = copied.get(target)
    if (known) return known
    const data: WrittenDict = {}
    // A stream stays as it is packed, which pdfkit wants to know at once.
    if (target instanceof PDFRawStream && target.dict.has(PDFName.of('Filter'))) data.Filter = 'FlateDecode'
    const ref = document.ref(data)
    // Known before its parts are copied, since they may lead back to it.
    copied.set(target, ref)
    Object.assign(ref.data, dictOf(target instanceof PDFRawStream ? target.dict : target))
    ref.end(target instanceof PDFRawStream ? Buffer.from(target.contents) : undefined)
    return ref
  }
  function copy(object: PDFObject): Written {
    const target = object instanceof PDFRef ? context.lookup(object) : object
    if (target instanceof PDFRawStream || (target instanceof PDFDict && object instanceof PDFRef))
      return referred(target)
    if (target instanceof PDFDict) return dictOf(target)
    if (target instanceof PDFArray) return target.asArray().map(copy)
    if (target instanceof PDFName) return target.asString().slice(1)
    if (target instanceof PDFNumber) return target.asNumber()
    if (target instanceof PDFBool) return target.asBoolean()
    if (target instanceof PDFString || target instanceof PDFHexString) return Buffer.from(target.asBytes())
    return null
  }
  return copy
}
