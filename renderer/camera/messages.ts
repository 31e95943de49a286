/** A frame sent to the decoder. */
export interface Frame {
  readonly bitmap: ImageBitmap
  readonly close: boolean
}

/** What the decoder says: what it saw in a frame, that it is ready, or that it cannot work. */
export type Seen =
  | { readonly type: 'ready' }
  | { readonly type: 'broken' }
  | { readonly type: 'frame'; readonly text: string | null; readonly symbology: string }
