/** The body that settles a conflict or opens it again. */
export const conflictBody = {
  type: 'object',
  properties: {
    state: { type: 'string', enum: ['open', 'resolved'] },
    note: { type: 'string', maxLength: 5000 },
  },
} as const
