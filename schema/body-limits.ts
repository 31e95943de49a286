/** Bytes. */
export const kibibyte = 1024
export const mebibyte = 1024 * kibibyte

/** How many bytes of a body are read where nothing else is declared, and from callers without a credential at most. */
export const smallBody = 64 * kibibyte

/** How many bytes of a row are read, with its texts in several languages. */
export const rowBody = 256 * kibibyte

/** How many bytes are read of what holds many rows: an order and its positions, a batch of vouchers. */
export const listBody = mebibyte

/** How many bytes of what a node reports at once are received, unpacked. */
export const pushLimit = 4 * mebibyte

/** How many bytes of a file that carries an outbox by hand are received: about a hundred thousand facts. */
export const transferBody = 64 * mebibyte

/** How many bytes of a file that somebody uploads are read. */
export const fileBody = 10 * mebibyte

/** How many bytes of the plan of a hall, with all its seats, are received. */
export const planBody = 4 * mebibyte

/** How many bytes of the layout of a printed page are received. */
export const layoutBody = mebibyte
