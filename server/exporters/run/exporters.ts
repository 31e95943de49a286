import type { Exporter, Level } from '../format/exporter.ts'
import { accountingReport } from '../reports/accounting.ts'
import { answerList } from '../reports/answer-list.ts'
import { attendeeList, attendeeParameters } from '../reports/attendees.ts'
import { checkinListTable } from '../reports/checkin-list.ts'
import { listParameters } from '../reports/checkin-list-rows.ts'
import { conflictReport } from '../reports/conflict-list.ts'
import { giftCardList } from '../reports/gift-card-list.ts'
import { orderList } from '../reports/order-list.ts'
import { giftCardRedemptionList, paymentList } from '../reports/payment-list.ts'
import { quotaList } from '../reports/quota-list.ts'
import { scanList } from '../reports/scan-list.ts'
import { shredderFile } from '../reports/shredder-file.ts'
import { voucherList } from '../reports/voucher-list.ts'
import { waitingList } from '../reports/waiting-list.ts'
import { receiptJournal, receiptList } from '../tills/receipt-list.ts'

const pdf = { kind: 'file', extension: 'pdf', type: 'application/pdf' } as const

/** Everything about an event. */
const eventJson: Exporter = {
  identifier: 'json',
  name: 'Everything as JSON',
  levels: ['event'],
  needs: null,
  parameters: [],
  output: {
    kind: 'file',
    extension: 'json',
    type: 'application/json',
    load: async () => (await import('../reports/event-json-file.ts')).eventJsonFile,
  },
}

/** The files that were uploaded as answers, in an archive. */
const answerFiles: Exporter = {
  identifier: 'answerfiles',
  name: 'Answers that are files',
  levels: ['event'],
  needs: null,
  parameters: [
    { name: 'questions', kind: 'rows', table: 'question' },
    { name: 'paid_only', kind: 'flag' },
  ],
  output: {
    kind: 'file',
    extension: 'zip',
    type: 'application/zip',
    load: async () => (await import('../reports/answer-files-file.ts')).answerFilesFile,
  },
}

/** The check-in list on paper, with boxes to tick. */
const checkinListPdf: Exporter = {
  identifier: 'checkinlistpdf',
  name: 'Check-in list (PDF)',
  levels: ['event'],
  needs: null,
  parameters: listParameters,
  output: {
    ...pdf,
    load: async () => (await import('../reports/checkin-list-file.ts')).checkinListFile,
  },
}

/** A badge for everybody who is expected, or who has come in through a list, one to a page of A6. */
const badges: Exporter = {
  identifier: 'badges',
  name: 'Badges',
  levels: ['event'],
  needs: null,
  parameters: [...attendeeParameters, { name: 'list', kind: 'row', table: 'checkin_list' }],
  output: {
    ...pdf,
    load: async () => (await import('../reports/badge-file.ts')).badgeFile,
  },
}

/** The closings of tills in the shape that German tax offices ask for, which nobody has verified. */
const tillBooks: Exporter = {
  identifier: 'dsfinvk',
  name: 'Closings of tills in the shape of DSFinV-K (not verified)',
  levels: ['event', 'organizer'],
  needs: null,
  parameters: [],
  output: {
    kind: 'file',
    extension: 'zip',
    type: 'application/zip',
    load: async () => (await import('../tills/dsfinvk-file.ts')).dsfinvkFile,
  },
}

/** Every exporter. */
const exporters: readonly Exporter[] = [
  orderList,
  attendeeList,
  badges,
  checkinListTable,
  checkinListPdf,
  quotaList,
  voucherList,
  waitingList,
  giftCardList,
  giftCardRedemptionList,
  paymentList,
  answerList,
  answerFiles,
  scanList,
  conflictReport,
  receiptList,
  receiptJournal,
  tillBooks,
  accountingReport,
  eventJson,
  shredderFile,
]

/** Those of a level, by their names. */
export const exportersOf = (level: Level): readonly Exporter[] =>
  exporters
    .filter(({ levels, isUnlisted }) => levels.includes(level) && !isUnlisted)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))

/** The exporter with an identifier, or undefined. */
export const exporterOf = (level: Level, identifier: string): Exporter | undefined =>
  exporters.find((one) => one.identifier === identifier && one.levels.includes(level))
