import { listBody } from '../../body-limits.ts'
import { money, nullable, text } from '../../fields.ts'
import { bodySchema, exactly, listSchema, pageSchema } from '../../json-schema.ts'
import { type Action, bodyAs, defineAction, hidden, org, refused } from '../action.ts'

/** How far a bank import is. */
export const bankImportStates = ['pending', 'running', 'error', 'completed'] as const

/** What has become of a transaction of a bank statement. */
export const bankTransactionStates = [
  ...['imported', 'nomatch', 'invalid', 'error', 'valid', 'discarded', 'already'],
] as const

/** A transaction of a bank statement as it is sent. */
export const bankTransactionInput = {
  payer: text({ default: '' }),
  reference: text({ default: '' }),
  amount: money(),
  date: text({ maxLength: 50 }),
  iban: text({ default: '', maxLength: 250 }),
  bic: text({ default: '', maxLength: 250 }),
  external_id: nullable(text({ default: '', maxLength: 190 })),
}

const word = { type: 'string' } as const
const wordOrNull = { type: ['string', 'null'] } as const

const bankTransaction = exactly({
  state: { type: 'string', enum: bankTransactionStates },
  ...{ message: word, checksum: word, payer: word, reference: word, amount: word, date: word },
  ...{
    order: wordOrNull,
    comment: word,
    iban: word,
    bic: word,
    currency: wordOrNull,
    external_id: wordOrNull,
  },
})

const bankImport = exactly({
  ...{ id: { type: 'integer' }, event: wordOrNull, created: { type: 'string', format: 'date-time' } },
  state: { type: 'string', enum: bankImportStates },
  transactions: listSchema(bankTransaction),
  currency: wordOrNull,
})

/** What a bank import is sent as; its transactions are read one by one. */
const bankImportBody = {
  type: 'object',
  required: ['transactions'],
  properties: {
    event: { type: ['string', 'null'] },
    currency: { type: ['string', 'null'], minLength: 1, maxLength: 10 },
    transactions: { type: 'array', maxItems: 1000, items: { type: 'object' } },
  },
} as const

const describedBody = {
  ...bankImportBody,
  properties: {
    ...bankImportBody.properties,
    transactions: { ...bankImportBody.properties.transactions, items: bodySchema(bankTransactionInput) },
  },
}

export const bankImportList = defineAction({
  name: 'bank_import_list',
  tag: 'bank_import',
  method: 'get',
  path: `${org}/bankimportjobs/`,
  summary: 'The bank statements that were imported for events whose orders the caller may see.',
  needs: 'can_view_orders',
  query: ['page', 'page_size', 'state', 'event'],
  shows: pageSchema(bankImport),
  answers: { '200': 'A page.', '400': '', ...hidden },
})

export const bankImportRetrieve = defineAction({
  name: 'bank_import_retrieve',
  tag: 'bank_import',
  method: 'get',
  path: `${org}/bankimportjobs/:id/`,
  summary: 'One import, and what has become of its transactions.',
  needs: 'can_view_orders',
  shows: bankImport,
  answers: { '200': 'The import.', ...hidden },
})

export const bankImportCreate = defineAction({
  name: 'bank_import_create',
  tag: 'bank_import',
  method: 'post',
  path: `${org}/bankimportjobs/`,
  summary:
    'Takes the transactions of a bank statement and matches them with orders by the codes and invoice numbers in their references. Those that were imported before are left out.',
  needs: 'can_change_orders',
  body: { ...bodyAs(bankImportBody), description: describedBody },
  bodyLimit: listBody,
  shows: bankImport,
  refusals: { '409': { type: 'object', properties: { error: listSchema(word), detail: word } } },
  answers: {
    '201': 'The import, which is carried out now: ask again until its state is completed.',
    ...refused,
    '409': 'Another import of the organizer is being carried out.',
  },
})

/** Imports of bank statements. */
export const bankImportActions: readonly Action[] = [bankImportList, bankImportRetrieve, bankImportCreate]
