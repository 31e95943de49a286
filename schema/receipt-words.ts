/** What a receipt is given for. */
export const receiptTypes = ['sale', 'refund', 'correction', 'movement'] as const
export type ReceiptType = (typeof receiptTypes)[number]

/** The lines by which cash comes or goes without a sale. */
export const movementKinds = ['float', 'cash_in', 'cash_out', 'difference'] as const
export type MovementKind = (typeof movementKinds)[number]

/**
 * What a line of a receipt is: something sold or given back, a part of an order's price, cash that moved, or a drawer that
 * was opened without any of that.
 */
export const lineKinds = ['product', 'fee', 'order_part', ...movementKinds, 'no_sale'] as const
export type LineKind = (typeof lineKinds)[number]

/** By what receipts of tills can be signed; `none`: by nothing. */
export const signingProviders = ['none', 'simulator'] as const
export type SigningProvider = (typeof signingProviders)[number]

/** Why a receipt has no signature. */
export const signingProblems = ['', 'unreachable', 'interrupted', 'missing_device'] as const
export type SigningProblem = (typeof signingProblems)[number]
