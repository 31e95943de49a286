import type { Bitmap } from './bitmap.ts'
import { eplLabel } from './raster-epl.ts'
import { escposRaster } from './raster-escpos.ts'
import { zplLabel } from './raster-zpl.ts'

/** The languages in which printers take pictures. */
export type PrinterDialect = 'escpos' | 'zpl' | 'epl'

/** What a printer takes a picture as, by the language that it speaks. */
export const encoders: Readonly<
  Record<PrinterDialect, (bitmap: Bitmap, options?: { readonly cut?: boolean }) => Uint8Array>
> = { escpos: escposRaster, zpl: zplLabel, epl: eplLabel }
